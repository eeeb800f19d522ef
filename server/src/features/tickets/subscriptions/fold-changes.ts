import type { StoredChange } from '../history/readable-changes.ts'
import { sourceOf } from '../mentions/written-texts.ts'

export interface AuthoredChange extends StoredChange {
  author: number | null
}

/** A field or comment of which a mail shows only the first and the last value of a burst; undefined where it shows each change. */
function foldedInto(change: StoredChange): string | undefined {
  const { field } = change
  return ['Title', 'Type', 'State', 'Parent', 'Trash'].includes(field) ? field : sourceOf(change)
}

/** The changes as a mail tells them: one per field and comment, and without those that were reverted. */
export function foldChanges(changes: readonly AuthoredChange[]): AuthoredChange[] {
  const folded: AuthoredChange[] = []
  for (const change of changes) {
    const place = foldedInto(change)
    const earlier = place === undefined ? undefined : folded.find(each => foldedInto(each) === place)
    if (earlier) Object.assign(earlier, { after: change.after, author: change.author })
    else folded.push({ ...change })
  }
  return folded.filter(({ before, after }) => before !== after)
}
