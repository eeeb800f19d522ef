/**
 * Gives each row the element it is drawn in, by a number, in the order of the rows. A row keeps its own while it stays in sight. After a leap,
 * when no more than `few` of the rows are still there, the elements are used for what is there now: to change the words of an element costs a
 * fraction of making one. There is no leap away from the `held` row, which may have the focus.
 */
export function passSlotsOn(before: ReadonlyMap<string, number>, keys: readonly string[], held: string | undefined, few: number) {
  const staying = keys.filter(key => before.has(key))
  const isLeap = staying.length <= few && (held === undefined || !before.has(held))
  const free = isLeap ? [...before.values()] : []
  let next = Math.max(-1, ...before.values()) + 1
  const slots = new Map<string, number>()
  for (const key of keys) slots.set(key, free.shift() ?? (isLeap ? undefined : before.get(key)) ?? next++)
  return slots
}
