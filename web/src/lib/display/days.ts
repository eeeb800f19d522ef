// Days are texts `2026-11-30`, as a DATE field holds them. They have no time zone: they are counted in UTC, where every day has 24 hours.

const dayLength = 86_400_000

export function addDays(day: string, count: number) {
  return new Date(Date.parse(day) + count * dayLength).toISOString().slice(0, 10)
}

/** How many days later the second one is; an inclusive range has one more. */
export function daysBetween(from: string, to: string) {
  return (Date.parse(to) - Date.parse(from)) / dayLength
}

/** The day that the browser's clock shows. */
export function todayOf(now = new Date()) {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
