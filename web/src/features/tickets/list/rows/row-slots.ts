/**
 * Assigns a numbered element to each row, in the order of the rows. A row keeps its element while it is visible. After a jump, when at most
 * `maxReused` of the rows are still there, the elements are reused for the new rows: changing an element costs a fraction of creating one. The
 * `held` row, which may have the focus, prevents a jump.
 */
export function reuseSlots(before: ReadonlyMap<string, number>, keys: readonly string[], held: string | undefined, maxReused: number) {
  const staying = keys.filter(key => before.has(key))
  const isLeap = staying.length <= maxReused && (held === undefined || !before.has(held))
  const free = isLeap ? [...before.values()] : []
  let next = Math.max(-1, ...before.values()) + 1
  const slots = new Map<string, number>()
  for (const key of keys) slots.set(key, free.shift() ?? (isLeap ? undefined : before.get(key)) ?? next++)
  return slots
}
