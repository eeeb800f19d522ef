import * as contract from '@tessera/contract/tickets/comments'
import { sql } from 'kysely'
import { type Db, queryRows, run, statement } from '../../../db/db.ts'
import { bool, int4, int8, nullable, text } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import { requireOpen, requireStillOpen, type TicketScope } from '../../../lib/authorize.ts'
import { recordChanges, ticketChange } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { commentReference } from '../history/stored-values.ts'

export const setTicketComment = implementWith(contract.setTicketComment, { opensNoTransaction: true }, async ({ db, scope, input }) => {
  requireOpen(scope)
  const { idComment, Comment, Version } = input
  const written =
    idComment === undefined
      ? await add(db, scope, Comment)
      : await inTransaction(db, transaction => rewrite(transaction, scope, { idComment, Comment, Version }))
  return { Success: 1 as const, idComment: written.idComment, ...(Version !== undefined && { Version: written.version }) }
})

// Both lock the ticket first, as a save does: a save locks the search row before the notice, and comments lock them the other way round (a trigger writes
// the search row last), which would deadlock. Until they have the lock, the ticket may go to the trash or be deleted. New comments share the lock; an
// edit excludes them, because on a Citus cluster a new comment writes the search row first.

// The comment, its history and its notice are one statement, which is a transaction by itself. It does not wait for a locked ticket: a
// caller who has to wait is authorized again afterwards, in a transaction. The history refers to it as `commentReference` does.
const addition = statement(
  { trashed: bool, id: nullable(int8) },
  `
  with held as materialized (
    select id, trashed_at is not null as trashed from ticket where organization_id = $1 and id = $2 for share skip locked
  ), added as (
    insert into comment (organization_id, ticket_id, author_id, text)
    select $1, held.id, $3::bigint, $4::text from held where not held.trashed returning id
  ), changed as (
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, after, user_id)
    select $1, nextval('change_set_id'), 'ticket', $2, $5::bigint, $2, 'Comment', added.id || '.1', $3 from added
    returning id
  ), noticed as (
    insert into ticket_notice (organization_id, ticket_id, first_change_id) select $1, $2, id from changed
    on conflict (organization_id, ticket_id) do update set first_change_id = least(ticket_notice.first_change_id, excluded.first_change_id)
  )
  select held.trashed, added.id from held left join added on true`,
)

const hold = statement({ id: int8 }, 'select id from ticket where organization_id = $1 and id = $2 for share')

async function add(db: Db, scope: TicketScope, text: string) {
  const { organizationId, ticketId, userId, projectId } = scope
  const attempt = async (on: Db) => (await run(on, addition, [organizationId, ticketId, userId, text, projectId]))[0]
  const whenFree = () =>
    inTransaction(db, async held => {
      await run(held, hold, [organizationId, ticketId])
      await requireStillOpen(held, scope, ticketId)
      return attempt(held)
    })
  const row = (await attempt(db)) ?? (await whenFree())
  if (!row) throw notFound()
  requireOpen({ ...scope, trashed: row.trashed })
  return { idComment: row.id as number, version: 1 }
}

interface Edit {
  idComment: number
  Comment: string
  Version: number | undefined
}
/** Returns the comment's version, which is a new one unless the text is unchanged. */
async function rewrite(db: Db, scope: TicketScope, { idComment, Comment, Version }: Edit) {
  const { organizationId, ticketId, userId } = scope
  const rows = await queryRows(db, { author_id: nullable(int8), text, versions: int4 })`
    select c.author_id, c.text, c.versions from comment c join ticket t on t.organization_id = ${organizationId} and t.id = c.ticket_id
    where c.organization_id = ${organizationId} and c.id = ${idComment} and c.ticket_id = ${ticketId} and c.deleted_at is null
    for no key update of t for update of c`
  const [present] = rows
  if (!present) throw notFound()
  await requireStillOpen(db, scope, ticketId)
  if (present.author_id !== userId) throw new Failure('rule', 'A comment can be edited only by the person who wrote it')
  if (present.text === Comment) return { idComment, version: present.versions }
  if (Version !== undefined && Version !== present.versions)
    throw new Failure('conflict', 'This comment was changed meanwhile', {
      current: { Version: present.versions, Comment: present.text },
    })
  await sql`
    insert into comment_version (organization_id, comment_id, version, text, written_at)
    select c.organization_id, c.id, c.versions, c.text, c.written_at from comment c
    where c.organization_id = ${organizationId} and c.id = ${idComment}`.execute(db)
  const version = present.versions + 1
  const [before, after] = [commentReference(idComment, present.versions), commentReference(idComment, version)]
  await recordChanges(db, scope, [ticketChange(scope, 'Comment', before, after)])
  await sql`
    update comment set text = ${Comment}, versions = versions + 1, written_at = now()
    where organization_id = ${organizationId} and id = ${idComment}`.execute(db)
  return { idComment, version }
}
