import { isSame } from './use-draft.ts'

/** Of a value that two people changed: mine if I did, else theirs. */
export function mergeValues<T>(read: T, mine: T, theirs: T) {
  return isSame(mine, read) ? theirs : mine
}

/**
 * A list with both my changes and theirs since it was read. What either removed is removed, what either added is there. The order is theirs
 * unless I changed it.
 */
export function mergeLists<T>(read: readonly T[], mine: readonly T[], theirs: readonly T[], keyOf: (member: T) => unknown): T[] {
  const byKey = (list: readonly T[]) => new Map(list.map(member => [keyOf(member), member]))
  const [before, ours, others] = [byKey(read), byKey(mine), byKey(theirs)]
  const keysIn = (list: Map<unknown, T>, other: Map<unknown, T>) => [...list.keys()].filter(key => other.has(key))
  const isReordered = !isSame(keysIn(ours, before), keysIn(before, ours))
  const keys = new Set([...(isReordered ? ours : others).keys(), ...ours.keys(), ...others.keys()])
  return [...keys].flatMap(key => {
    const [stored, own, other] = [before.get(key), ours.get(key), others.get(key)]
    // One of the two added it, or the other one removed it.
    if (own === undefined || other === undefined) return stored === undefined ? [(own ?? other) as T] : []
    return [stored === undefined ? own : mergeValues(stored, own, other)]
  })
}
