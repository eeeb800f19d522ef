import type { StoredChange } from '../history/readable-changes.ts'
import { labelIdOf } from '../history/stored-values.ts'
import { sourceOf } from '../mentions/written-texts.ts'

export interface AuthoredChange extends StoredChange {
  author: number | null
  /** Nobody is mailed about it, but what it undoes is not mailed either. */
  quiet?: boolean
}

/** What a change is about: a field or comment, or one of the several people, labels, links and files that a ticket has. */
function placeOf(change: StoredChange): string {
  const { field, before, after } = change
  if (['Title', 'Type', 'State', 'Parent', 'Trash'].includes(field)) return field
  const stored = after ?? before
  // A label may have been renamed meanwhile.
  return sourceOf(change) ?? `${field} ${field === 'Label' ? labelIdOf(stored) : stored}`
}

/** The changes as a mail tells them: each from its first value to its last, without those that were reverted. */
export function foldChanges<Row extends AuthoredChange>(changes: readonly Row[]): Row[] {
  const folded: { place: string; told: Row }[] = []
  for (const change of changes) {
    const place = placeOf(change)
    // Two files may have the same name. That they are deleted and restored is quiet.
    const isSame = ({ after }: Row) => change.field !== 'Attachment' || (change.quiet && after === change.before)
    const earlier = folded.findLast(each => each.place === place && isSame(each.told))?.told
    if (!earlier) folded.push({ place, told: { ...change } })
    else Object.assign(earlier, { after: change.after, ...(!change.quiet && { author: change.author, quiet: change.quiet }) })
  }
  return folded.map(({ told }) => told).filter(({ before, after, quiet }) => before !== after && !quiet)
}
