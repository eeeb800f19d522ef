import { limits } from '@tessera/contract/limits'

/**
 * What is wrong with a tree after tickets moved in it; undefined when nothing is. `parentOf` holds the new parent of each moved ticket and
 * everything above it, `height` the levels below each that move along.
 */
export function problemOfMoves(
  moved: readonly number[],
  parentOf: ReadonlyMap<number, number | null>,
  height: ReadonlyMap<number, number>,
): string | undefined {
  for (const id of moved) {
    const above = new Set<number>()
    for (let next = parentOf.get(id) ?? null; next !== null && !above.has(next); next = parentOf.get(next) ?? null) {
      if (next === id) return 'A ticket cannot be moved below itself'
      above.add(next)
    }
    if (above.size + (height.get(id) ?? 0) > limits.depth) return `A ticket has at most ${limits.depth} tickets above it`
  }
  return undefined
}
