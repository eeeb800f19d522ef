import * as contract from '@tessera/contract/comments'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4, int8, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { requireOpen, type TicketScope } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { commentReference } from '../history/rules.ts'

export const setTicketComment = implement(contract.setTicketComment, async ({ db, scope, input }) => {
  requireOpen(scope)
  const { idComment, version, isNew } =
    input.idComment === undefined ? await add(db, scope, input.Comment) : await rewrite(db, scope, input as Edit)
  if (isNew) {
    const { projectId, ticketId } = scope
    const before = version === 1 ? null : commentReference(idComment, version - 1)
    await recordChanges(db, scope, [
      {
        subject: 'ticket',
        subjectId: ticketId,
        projectId,
        ticketId,
        field: 'Comment',
        before,
        after: commentReference(idComment, version),
      },
    ])
  }
  return { Success: 1 as const, idComment, ...(input.Version !== undefined && { Version: version }) }
})

// Both lock the ticket first, as a save does: otherwise they could deadlock, because a save writes notice and search row in the opposite order.
// Until they have the lock, the ticket may go to the trash and be deleted.

async function add(db: Db, scope: TicketScope, text: string) {
  const rows = await queryRows(db, { trashed: bool, id: nullable(int8) })`
    with held as materialized (
      select id, trashed_at is not null as trashed from ticket
      where organization_id = ${scope.organizationId} and id = ${scope.ticketId} for share
    ), added as (
      insert into comment (organization_id, ticket_id, author_id, text)
      select ${scope.organizationId}::bigint, held.id, ${scope.userId}::bigint, ${text}::text from held where not held.trashed returning id)
    select held.trashed, added.id from held left join added on true`
  const [row] = rows
  if (!row) throw notFound()
  requireOpen({ ...scope, trashed: row.trashed })
  return { idComment: row.id as number, version: 1, isNew: true }
}

interface Edit {
  idComment: number
  Comment: string
  Version?: number
}
/** Returns the comment's version, which is a new one unless the text is unchanged. */
async function rewrite(db: Db, scope: TicketScope, { idComment, Comment, Version }: Edit) {
  const { organizationId, ticketId, userId } = scope
  const rows = await queryRows(db, { author_id: nullable(int8), text, versions: int4, trashed: bool })`
    select c.author_id, c.text, c.versions, t.trashed_at is not null as trashed from comment c join ticket t on t.organization_id = ${organizationId} and t.id = c.ticket_id
    where c.organization_id = ${organizationId} and c.id = ${idComment} and c.ticket_id = ${ticketId} and c.deleted_at is null
    for share of t for update of c`
  const [present] = rows
  if (!present) throw notFound()
  requireOpen({ ...scope, trashed: present.trashed })
  if (present.author_id !== userId) throw new Failure('rule', 'A comment can be edited only by the person who wrote it')
  if (present.text === Comment) return { idComment, version: present.versions, isNew: false }
  if (Version !== undefined && Version !== present.versions)
    throw new Failure('conflict', 'This comment was changed meanwhile', {
      current: { Version: present.versions, Comment: present.text },
    })
  await sql`
    insert into comment_version (organization_id, comment_id, version, text, written_at)
    select c.organization_id, c.id, c.versions, c.text, c.written_at from comment c
    where c.organization_id = ${organizationId} and c.id = ${idComment}`.execute(db)
  await sql`
    update comment set text = ${Comment}, versions = versions + 1, written_at = now()
    where organization_id = ${organizationId} and id = ${idComment}`.execute(db)
  return { idComment, version: present.versions + 1, isNew: true }
}
