/** Ids in order, by list; an id is in one list at a time. */
export type Lists = Record<string, number[]>

/** The position of an id. */
export function placeOf(lists: Lists, id: number) {
  for (const [list, ids] of Object.entries(lists)) {
    const index = ids.indexOf(id)
    if (index >= 0) return { list, index }
  }
}

/** The lists with the id moved to that index; the index is counted without it. */
export function placed(lists: Lists, id: number, to: { list: string; index: number }): Lists {
  const others = Object.entries(lists).map(([list, ids]) => [list, ids.filter(other => other !== id)] as const)
  return Object.fromEntries(
    others.map(([list, ids]) => [list, list === to.list ? [...ids.slice(0, to.index), id, ...ids.slice(to.index)] : [...ids]]),
  )
}

/** Where an arrow key moves an id: up and down within its list, left and right to the same position in the next list. */
export function stepped(lists: Lists, id: number, key: string) {
  const from = placeOf(lists, id)
  if (!from) return
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const index = from.index + (key === 'ArrowUp' ? -1 : 1)
    return index >= 0 && index < (lists[from.list]?.length ?? 0) ? { list: from.list, index } : undefined
  }
  const names = Object.keys(lists)
  const list = names[names.indexOf(from.list) + (key === 'ArrowLeft' ? -1 : 1)]
  return list === undefined ? undefined : { list, index: Math.min(from.index, lists[list]?.length ?? 0) }
}

/** The wanted order applied to the current lists: removed ids are dropped, new ones are appended. */
export function fitted(wanted: Lists, lists: Lists): Lists {
  const present = new Set(Object.values(lists).flat())
  const known = new Set(Object.values(wanted).flat())
  return Object.fromEntries(
    Object.entries(lists).map(([list, ids]) => [
      list,
      [...(wanted[list] ?? []).filter(id => present.has(id)), ...ids.filter(id => !known.has(id))],
    ]),
  )
}
