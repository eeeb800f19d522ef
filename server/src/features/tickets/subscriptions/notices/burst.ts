import { sql } from 'kysely'
import { type Db, queryRows } from '../../../../db/db.ts'
import { bool, int8, nullable, type RowOf, text } from '../../../../db/shape.ts'
import { ticketPart } from '../../../../lib/changes.ts'
import { personName } from '../../assignees/person-name.ts'
import { sourceOf } from '../../mentions/written-texts.ts'
import { type AuthoredChange, foldChanges } from '../fold-changes.ts'

/** The changes of a ticket that are mailed together. */
export interface Burst {
  organizationId: number
  ticketId: number
  firstChangeId: number
  lastChangeId: number
}

/** A person to whom a burst is mailed. */
export interface Reader {
  id: number
  isWatching: boolean
  /** The texts that mention the person. */
  sources: readonly string[]
}

const changeShape = {
  author: nullable(int8),
  field: ticketPart,
  before: nullable(text),
  after: nullable(text),
  quiet: bool,
  id: int8,
  set: int8,
  name: text,
}
export type NamedChange = RowOf<typeof changeShape>

/**
 * Larger bursts are reported in part. A recipient's own changes do not count, so each author's changes are limited when they are read, and
 * those that may mention somebody apart from the others.
 */
const changesPerMail = 100

/**
 * The changes of the burst, quiet ones too, which may undo others. Without those of deleted comments, whose restoration undoes nothing, and of
 * bulk changes and of states that are deleted or restored, which have mails of their own.
 */
export function changesOf(db: Db, { organizationId, ticketId, firstChangeId, lastChangeId }: Burst) {
  return queryRows(db, changeShape)`
    select c.id, c.change_set_id as set, c.field, c.before, c.after, c.quiet, c.user_id as author, coalesce(${sql.raw(personName)}, 'Somebody') as name
    from (select c.*, row_number() over (partition by c.user_id, c.quiet, c.field = 'Comment' or c.after like '%@%' order by c.id) as place
      from change c
      where c.organization_id = ${organizationId} and c.ticket_id = ${ticketId} and c.id between ${firstChangeId} and ${lastChangeId}
        and not (c.field = 'Comment' and (c.quiet or exists (select 1 from comment gone
          where gone.organization_id = ${organizationId} and gone.ticket_id = ${ticketId} and gone.deleted_at is not null
            and gone.id::text = split_part(c.after, '.', 1))))
        and not (c.field = 'State' and c.quiet)
        and not exists (select 1 from change_set_summary s
          where s.organization_id = ${organizationId} and s.id = c.change_set_id and s.what in ('bulk', 'revert'))
    ) c left join user_account u on u.id = c.user_id
    where c.place <= ${changesPerMail + 1} order by c.id`
}

/** What of a burst is for a reader. */
export interface Told {
  changes: AuthoredChange[]
  /** The mail has not all of it. */
  isMore: boolean
  isMentioned: boolean
  isWatching: boolean
}

/** What of the changes is for each reader: the same object for all who are told the same. */
export function toldOf(changes: readonly NamedChange[]): (reader: Reader) => Told {
  const authors = new Set(changes.map(({ author }) => author))
  const made = new Map<string, Told>()
  return reader => {
    const { id, isWatching, sources } = reader
    const key = `${authors.has(id) ? id : ''} ${isWatching} ${sources.join()}`
    const told = made.get(key) ?? toldTo(reader, changes)
    made.set(key, told)
    return told
  }
}

function toldTo({ id, isWatching, sources }: Reader, changes: readonly NamedChange[]): Told {
  const names = (change: AuthoredChange) => sources.includes(sourceOf(change) ?? '')
  // People who do not watch the ticket get only the texts that name them.
  const told = changes.filter(change => change.author !== id && (isWatching || names(change)))
  const tooMany = told.filter(({ quiet }) => !quiet)[changesPerMail]
  return {
    changes: foldChanges(tooMany ? told.filter(change => change.id < tooMany.id) : told),
    isMore: tooMany !== undefined,
    isMentioned: told.some(names),
    isWatching,
  }
}
