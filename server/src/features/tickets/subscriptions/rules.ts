import type { StoredChange } from '../history/queries.ts'

export interface AuthoredChange extends StoredChange {
  author: number | null
}

/** Fields of which a mail shows only the first and the last value of a burst. Of all other fields it shows each change. */
function isFolded(field: string) {
  return field === 'Title' || field === 'State' || field === 'Parent' || field === 'Trash' || field.startsWith('data.')
}

/** The changes as a mail tells them: one per field, and without those that were reverted. */
export function foldChanges(changes: readonly AuthoredChange[]): AuthoredChange[] {
  const folded: AuthoredChange[] = []
  for (const change of changes) {
    const earlier = isFolded(change.field) ? folded.find(({ field }) => field === change.field) : undefined
    if (earlier) Object.assign(earlier, { after: change.after, author: change.author })
    else folded.push({ ...change })
  }
  return folded.filter(({ before, after }) => before !== after)
}
