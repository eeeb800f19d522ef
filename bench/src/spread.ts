/** The median of several measurements, and the extremes. */
export interface Spread {
  median: number
  low: number
  high: number
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const median = Number.isInteger(middle) ? ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2 : (sorted[Math.floor(middle)] ?? 0)
  return { median, low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 }
}
