import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/links'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4, int8, nullable } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { requireOpen, requireStillOpen, type TicketScope } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { type Edge, isOrdered, storedLink } from './link-kinds.ts'
import { addSuccessor, pathBetween, type Successors } from './link-path.ts'
import { linkChanges, lockLinks, visibleTickets } from './queries.ts'

export const setTicketLink = implement(contract.setTicketLink, async ({ db, scope: early, input }) => {
  const { organizationId, projectId, ticketId } = early
  requireOpen(early)
  if (input.idOther === ticketId) throw new Failure('same_ticket', 'A ticket cannot be linked with itself')
  const [far] = await visibleTickets(db, early, [input.idOther])
  if (!far) throw notFound()
  // In the order of an import, which locks its project long before it links tickets.
  await requireOpenProjects(db, early, far.projectId)
  await lockLinks(db, early)
  const scope = await requireStillOpen(db, early, ticketId)
  const [other] = await visibleTickets(db, scope, [input.idOther])
  if (!other) throw notFound()
  if (other.trashed) throw new Failure('rule', 'The other ticket is in the trash and takes no links')
  const link = storedLink(ticketId, other.id, input.Kind)
  const present = await queryRows(db, { id: int8 })`
    select id from ticket_link
    where organization_id = ${organizationId} and from_ticket_id = ${link.from} and to_ticket_id = ${link.to} and kind = ${link.kind}`
  if (present[0]) return { Success: 1 as const, idLink: present[0].id }
  await requireFewerLinks(db, scope, other.id)
  if (isOrdered(link.kind)) await requireNoCycle(db, scope, link)
  const rows = await queryRows(db, { id: int8 })`
    insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind)
    values (${organizationId}, ${link.from}, ${link.to}, ${link.kind}) returning id`
  await recordChanges(
    db,
    scope,
    linkChanges(link, id => (id === ticketId ? projectId : other.projectId), false),
  )
  return { Success: 1 as const, idLink: rows[0]?.id as number }
})

/** Locks both projects, because both ends get history: neither can be archived before the call ends. */
async function requireOpenProjects(db: Db, { organizationId, projectId }: TicketScope, otherProject: number) {
  const projects = await queryRows(db, { id: int8, archived: bool })`
    select id, archived_at is not null as archived from project
    where organization_id = ${organizationId} and id in (${projectId}, ${otherProject}) order by id for share`
  const archived = projects.find(project => project.archived)
  if (!archived) return
  const which = archived.id === projectId ? 'This project' : 'The project of the other ticket'
  throw new Failure('rule', `${which} is archived and takes no changes`)
}

async function requireFewerLinks(db: Db, { organizationId, ticketId }: TicketScope, otherId: number) {
  const rows = await queryRows(db, { most: nullable(int4) })`
    select max(links)::int as most from (
      select end_id, count(*) as links from (
        select from_ticket_id as end_id from ticket_link
        where organization_id = ${organizationId} and from_ticket_id in (${ticketId}, ${otherId})
        union all
        select to_ticket_id from ticket_link where organization_id = ${organizationId} and to_ticket_id in (${ticketId}, ${otherId})
      ) ends group by end_id
    ) counted`
  if ((rows[0]?.most ?? 0) >= limits.linksPerTicket) throw new Failure('rule', `A ticket has at most ${limits.linksPerTicket} links`)
}

/** Refuses a link that would close a cycle, and names the path. */
async function requireNoCycle(db: Db, scope: TicketScope, { from, to, kind }: Edge & { kind: string }) {
  const edges = await queryRows(db, { from: int8, to: int8 })`
    with recursive reached ("from", "to") as (
      select l.from_ticket_id, l.to_ticket_id from ticket_link l
      where l.organization_id = ${scope.organizationId} and l.kind = ${kind} and l.from_ticket_id = ${to}
      union
      select l.from_ticket_id, l.to_ticket_id from reached
      join ticket_link l on l.organization_id = ${scope.organizationId} and l.kind = ${kind} and l.from_ticket_id = reached."to"
    )
    select "from", "to" from reached`
  const successors: Successors = new Map()
  for (const edge of edges) addSuccessor(successors, edge)
  const way = pathBetween(successors, to, from)
  if (!way) return
  const path = [from, ...way]
  const seen = new Map((await visibleTickets(db, scope, path)).map(ticket => [ticket.id, ticket]))
  const names = path.map(id => (seen.has(id) ? `${seen.get(id)?.pcode}-${id}` : 'a ticket you cannot see'))
  throw new Failure('cycle', `This would close a cycle: ${names.join(' → ')}`, {
    current: {
      Path: path.map(id => {
        const ticket = seen.get(id)
        return ticket ? { id, pcode: ticket.pcode } : null
      }),
    },
  })
}
