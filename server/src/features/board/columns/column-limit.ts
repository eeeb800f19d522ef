/** The number of tickets per column unless the request says otherwise. */
export const usualLimit = 50
/** About how many tickets an answer has in all, and how many each column has at least. The rest of a column follows page by page. */
const [answered, perColumnAtLeast] = [2000, 5]

/** The most tickets of each column, on a board with this number of columns. */
export function perColumn(limit: number, columns: number) {
  return Math.min(limit, Math.max(perColumnAtLeast, Math.floor(answered / Math.max(1, columns))))
}
/** SQL: the same number, in a statement with a row for each column. */
export const perColumnOf = (limit: string) => `least(${limit}, greatest(${perColumnAtLeast}, ${answered} / greatest(1, count(*))))`
