import { limits } from '@tessera/contract/limits'

/**
 * What is wrong with the tree after the moves; undefined when nothing is. `parentOf` has the parents of the moved tickets and of all their new
 * ancestors, `height` the number of levels below each moved ticket.
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
