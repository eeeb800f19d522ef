/** Names that every project understands; besides them each field by its database key. They consist of letters, digits and `_`, like a key. */
export const queryNames = [
  'state',
  'type',
  'phase',
  'assignee',
  'creator',
  'label',
  'parent',
  'project',
  'id',
  'title',
  'text',
  'comment',
  'has',
  'is',
  'created',
  'updated',
  'due',
  'watcher',
] as const
export type QueryName = (typeof queryNames)[number]

/** What `is:` takes. */
export const isValues = ['open', 'closed', 'blocked', 'blocking', 'mine', 'watched', 'trashed', 'root', 'leaf'] as const
/** What `has:` takes. */
export const hasValues = [
  'attachment',
  'comment',
  'children',
  'proposed-children',
  'active-children',
  'inactive-children',
  'link',
  'label',
  'assignee',
] as const
/** What `phase:` takes. */
export const phaseValues = ['proposed', 'active', 'inactive'] as const
/** What `sort:` takes besides the fields' database keys. */
export const sortNames = ['id', 'title', 'type', 'phase', 'state', 'assignee', 'label', 'parent', 'created', 'updated', 'due'] as const

export function isQueryName(name: string): name is QueryName {
  return (queryNames as readonly string[]).includes(name)
}

/** The three of `names` that take the fewest edits to become `name`. */
export function nearestNames(name: string, names: Iterable<string>): string[] {
  const wanted = name.toLowerCase()
  return [...new Set(names)]
    .map(known => ({ known, edits: editDistance(wanted, known.toLowerCase()) }))
    .sort((left, right) => left.edits - right.edits || (left.known < right.known ? -1 : 1))
    .slice(0, 3)
    .map(({ known }) => known)
}

/** The number of letters inserted, deleted, replaced, or swapped with their neighbor. */
export function editDistance(left: string, right: string): number {
  const [a, b] = [[...left], [...right]]
  // A row has, for each beginning of `right`, the edits that lead to it from a beginning of `left`.
  let beforeLast: number[] = []
  let last = [0, ...b.map((_, column) => column + 1)]
  for (const [row, letter] of a.entries()) {
    const present = [row + 1]
    for (const [column, other] of b.entries()) {
      const [diagonal, above, beside] = [last[column], last[column + 1], present[column]] as [number, number, number]
      let edits = Math.min(diagonal + (letter === other ? 0 : 1), above + 1, beside + 1)
      if (letter === b[column - 1] && other === a[row - 1]) edits = Math.min(edits, (beforeLast[column - 1] as number) + 1)
      present.push(edits)
    }
    ;[beforeLast, last] = [last, present]
  }
  return last.at(-1) as number
}
