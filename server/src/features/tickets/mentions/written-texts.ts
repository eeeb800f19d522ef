import { namesOf } from '@tessera/contract/text/markdown'
import { isFieldPart } from '../../../lib/changes.ts'
import type { StoredChange } from '../history/readable-changes.ts'
import { parseCommentReference } from '../history/stored-values.ts'

/** Further names in one text are ignored: nobody mentions that many people. */
const mostMentions = 50

/** The logins that a text mentions, as they are typed, each once whatever its case; what is code or a link mentions nobody. */
export function mentionedLogins(text: string | null): string[] {
  if (!text?.includes('@')) return []
  const logins = namesOf(text).flatMap(({ kind, name }) => (kind === 'person' ? [name.slice(1)] : []))
  return [...new Map(logins.toReversed().map(login => [login.toLowerCase(), login])).values()].toReversed().slice(0, mostMentions)
}

interface SavedChange {
  field: StoredChange['field']
  before: string | null
  after: string | null
  author: number | null
}
/** A text that was changed in a burst of changes. */
export interface WrittenText {
  /** `comment.7` or `data.note`: two changes of the same text have the same source. */
  source: string
  /** For a comment: the reference of the version before the burst, null when the comment is new. For a field: the text. */
  before: string | null
  after: string
  author: number | null
}

/** Identifies the text that was changed; undefined when the change is not about a text. */
export function sourceOf({ field, after }: Pick<SavedChange, 'field' | 'after'>): string | undefined {
  if (isFieldPart(field)) return field
  const comment = field === 'Comment' ? parseCommentReference(after) : null
  return comment ? `comment.${comment.idComment}` : undefined
}

/** The texts among the folded changes of a burst, where each text has one change. */
export function writtenTexts(changes: readonly SavedChange[]): WrittenText[] {
  return changes.flatMap(change => {
    const source = sourceOf(change)
    const { before, after, author } = change
    return source === undefined || after === null ? [] : [{ source, before, after, author }]
  })
}
