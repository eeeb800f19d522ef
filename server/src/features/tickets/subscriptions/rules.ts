import type { StoredChange } from '../history/queries.ts'

export interface AuthoredChange extends StoredChange {
  author: number | null
}

/** Fields of which only the first and the last value of a burst are told. The others are things that come and go, each told. */
function isFolded(field: string) {
  return field === 'Title' || field === 'State' || field === 'Parent' || field === 'Trash' || field.startsWith('data.')
}

/** What one recipient is told: not what they did themselves, one change per field, and nothing that was taken back. */
export function foldChanges(changes: readonly AuthoredChange[], recipient: number): AuthoredChange[] {
  const folded: AuthoredChange[] = []
  for (const change of changes) {
    if (change.author === recipient) continue
    const earlier = isFolded(change.field) ? folded.find(({ field }) => field === change.field) : undefined
    if (earlier) Object.assign(earlier, { after: change.after, author: change.author })
    else folded.push({ ...change })
  }
  return folded.filter(({ before, after }) => before !== after)
}
