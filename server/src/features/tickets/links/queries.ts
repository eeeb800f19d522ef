import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int8, type RowOf, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, ticketChange } from '../../../lib/changes.ts'
import { linkReference } from '../history/stored-values.ts'
import { type Edge, kindSeenFrom } from './link-kinds.ts'

/** Links of an organization are created and removed one at a time, so that two that together close a cycle cannot both succeed. */
export async function lockLinks(db: Db, { organizationId }: Pick<ProjectScope, 'organizationId'>) {
  await sql`select pg_advisory_xact_lock(hashtextextended('links', ${organizationId}::bigint))`.execute(db)
}

/** SQL that is true when the caller may see the project in the given column. */
export function mayView({ organizationId, userId, admin }: ProjectScope, project: string) {
  return sql`(${admin}::boolean or exists (
    select 1 from project_member viewer
    where viewer.organization_id = ${organizationId} and viewer.project_id = ${sql.ref(project)} and viewer.user_id = ${userId}
      and viewer.permissions & 1 = 1))`
}

/** A ticket at the other end of a link. */
const farTicket = {
  id: int8,
  projectId: int8,
  pcode: text,
  title: text,
  trashed: bool,
}
export type FarTicket = RowOf<typeof farTicket>

/** Those of the given tickets that the caller may see, in any project of the organization. */
export async function visibleTickets(db: Db, scope: ProjectScope, ids: readonly number[]): Promise<FarTicket[]> {
  const { organizationId } = scope
  return queryRows(db, farTicket)`
    select t.id, t.project_id as "projectId", p.short_code as pcode, t.title, t.trashed_at is not null as trashed
    from ticket t join project p on p.organization_id = ${organizationId} and p.id = t.project_id
    where t.organization_id = ${organizationId} and t.id = any(${ids}) and ${mayView(scope, 't.project_id')}`
}

/** History of a link at both of its ends; watchers of the other ticket are notified there. */
export function linkChanges(link: Edge & { kind: string }, projectOf: (ticketId: number) => number, before: boolean): Change[] {
  return [
    [link.from, link.to],
    [link.to, link.from],
  ].map(([ticketId = 0, otherId = 0]) => {
    const reference = linkReference(kindSeenFrom(ticketId, link), otherId)
    return ticketChange({ projectId: projectOf(ticketId), ticketId }, 'Link', before ? reference : null, before ? null : reference)
  })
}
