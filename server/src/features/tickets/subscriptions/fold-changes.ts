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

/** The changes as a mail tells them: each from its first value to its last, without those that were reverted. */
export function foldChanges<Row extends AuthoredChange>(changes: readonly Row[]): Row[] {
  const folded: { place: string; told: Row }[] = []
  const fold = (change: Row) => {
    const { before, after } = change
    // Two files may have the same name. That they are deleted and restored is quiet.
    const isSame = ({ told }: { told: Row }) => change.field !== 'Attachment' || (change.quiet && told.after === before)
    const at = (place: string) => {
      const found = folded.filter(each => each.place === place && isSame(each))
      return found.findLast(({ told }) => (told.after === null) === (before === null)) ?? found.at(-1)
    }
    const [from, to] = [placeOf(change, before ?? after), placeOf(change, after ?? before)]
    const earlier = at(from)
    // A label or role was deleted and replaced by one that had been removed.
    if (!earlier && before !== null && after !== null && at(to)) {
      fold({ ...change, after: null })
      fold({ ...change, before: null })
    } else if (!earlier) folded.push({ place: to, told: { ...change } })
    else {
      earlier.place = to
      Object.assign(earlier.told, { after, ...(!change.quiet && { author: change.author, quiet: change.quiet }) })
    }
  }
  for (const change of changes) fold(change)
  return folded.map(({ told }) => told).filter(({ before, after, quiet }) => before !== after && !quiet)
}
