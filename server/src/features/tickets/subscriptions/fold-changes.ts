import type { StoredChange } from '../history/readable-changes.ts'
import { labelIdOf } from '../history/stored-values.ts'
import { sourceOf } from '../mentions/written-texts.ts'

export interface AuthoredChange extends StoredChange {
  author: number | null
  /** Nobody is mailed about it, but what it undoes is not mailed either. */
  quiet?: boolean
}

/** What a change is about: a field or comment, or that one of the people, labels, links and files of a ticket which the value names. */
function placeOf(change: StoredChange, value: string | null): string {
  const { field } = change
  if (['Title', 'Type', 'State', 'Parent', 'Trash'].includes(field)) return field
  // A label may have been renamed meanwhile.
  return sourceOf(change) ?? `${field} ${field === 'Label' ? labelIdOf(value) : value}`
}

/** A change that the mail tells of, and the place of its last value. */
interface Folded<Row> {
  told: Row
  place: string
}

/** The changes as a mail tells them: each from its first value to its last, without those that were reverted. */
export function foldChanges<Row extends AuthoredChange>(changes: readonly Row[]): Row[] {
  const folded: Folded<Row>[] = []
  for (const change of changes) fold(folded, change)
  return folded.map(({ told }) => told).filter(({ before, after, quiet }) => before !== after && !quiet)
}

function fold<Row extends AuthoredChange>(folded: Folded<Row>[], change: Row) {
  const { before, after, author, quiet } = change
  const from = placeOf(change, before ?? after)
  const to = placeOf(change, after ?? before)
  const earlier = lastAt(folded, from, change)
  if (earlier) {
    earlier.place = to
    earlier.told = { ...earlier.told, after, ...(!quiet && { author, quiet }) }
  } else if (before !== null && after !== null && lastAt(folded, to, change)) {
    // A label or role was replaced by one that had been removed: it is removed, and the other one is back.
    fold(folded, { ...change, after: null })
    fold(folded, { ...change, before: null })
  } else folded.push({ told: change, place: to })
}

/** The last of those at this place which the change goes on from: rather one that ends as the change begins, with a value or without. */
function lastAt<Row extends AuthoredChange>(folded: readonly Folded<Row>[], place: string, change: Row) {
  const found = folded.filter(each => each.place === place && mayBeSame(each.told, change))
  return found.findLast(({ told }) => (told.after === null) === (change.before === null)) ?? found.at(-1)
}

/** Two files may have the same name: only a deletion or restoration, which are quiet, goes on from a change of the same file. */
function mayBeSame(told: AuthoredChange, { field, before, quiet }: AuthoredChange) {
  return field !== 'Attachment' || (quiet === true && told.after === before)
}
