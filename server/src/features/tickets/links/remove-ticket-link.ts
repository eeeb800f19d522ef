import * as contract from '@tessera/contract/tickets/links'
import { queryRows } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { requireOpen, requireStillOpen } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { linkChanges, lockLinks } from './queries.ts'

export const removeTicketLink = implement(contract.removeTicketLink, async ({ db, scope, input }) => {
  requireOpen(scope)
  await lockLinks(db, scope)
  await requireStillOpen(db, scope, scope.ticketId)
  const { organizationId } = scope
  const rows = await queryRows(db, { from: int8, to: int8, kind: text, fromProject: int8, toProject: int8 })`
    delete from ticket_link l using ticket f, ticket t
    where l.organization_id = ${organizationId} and l.id = ${input.idLink}
      and f.organization_id = ${organizationId} and f.id = l.from_ticket_id and t.organization_id = ${organizationId} and t.id = l.to_ticket_id
    returning l.from_ticket_id as "from", l.to_ticket_id as "to", l.kind, f.project_id as "fromProject", t.project_id as "toProject"`
  const [link] = rows
  if (!link) throw notFound()
  await recordChanges(
    db,
    scope,
    linkChanges(link, id => (id === link.from ? link.fromProject : link.toProject), true),
  )
  return { Success: 1 as const }
})
