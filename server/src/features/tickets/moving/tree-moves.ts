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

/** The tickets in their order, but each after its ancestors. `parentOf` has the parents of the tickets and of all that are above them. */
export function ancestorsFirst(ids: readonly number[], parentOf: ReadonlyMap<number, number | null>): number[] {
  const levelOf = (id: number) => {
    let level = 0
    for (let next = parentOf.get(id); next != null && level <= limits.depth; next = parentOf.get(next)) level++
    return level
  }
  return ids
    .map(id => ({ id, level: levelOf(id) }))
    .sort((a, b) => a.level - b.level)
    .map(({ id }) => id)
}
