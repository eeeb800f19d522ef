import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { int8, text } from '../../db/shape.ts'
import { linkReference } from '../../features/tickets/history/stored-values.ts'
import { type Edge, isOrdered, kindSeenFrom, storedLink } from '../../features/tickets/links/link-kinds.ts'
import { addSuccessor, pathBetween, type Successors } from '../../features/tickets/links/link-path.ts'
import { lockLinks } from '../../features/tickets/links/queries.ts'
import type { PlannedLink } from '../export/plan.ts'
import { type ImportContext, recordOnTickets } from './context.ts'

type Link = Edge & { kind: string }

/**
 * Links tickets with those of this import and of earlier ones in the organization. A link that would close a cycle, exceeds the limit, was removed before
 * or names an unknown issue is left out and reported. Returns the number of links created.
 */
export async function importLinks(context: ImportContext, planned: readonly PlannedLink[], fresh: ReadonlySet<number>) {
  const { db, organizationId } = context
  if (planned.length === 0) return 0
  await lockLinks(db, context)
  const tickets = await ticketsOf(context, [...new Set(planned.flatMap(({ key, other }) => [key, other]))])
  const ids = [...new Set([...tickets.values()].map(({ id }) => id))]
  const known = await queryRows(db, { from: int8, to: int8, kind: text })`
    select from_ticket_id as "from", to_ticket_id as "to", kind from ticket_link
    where organization_id = ${organizationId} and (kind in ('blocks', 'precedes') or from_ticket_id = any(${ids}) or to_ticket_id = any(${ids}))`
  const made = acceptedLinks(context, planned, tickets, known, await removedLinks(context, ids))
  await sql`
    insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind)
    select ${organizationId}::bigint, l.* from unnest(${made.map(({ from }) => from)}::bigint[], ${made.map(({ to }) => to)}::bigint[],
      ${made.map(({ kind }) => kind)}::text[]) as l on conflict do nothing`.execute(db)
  const projectOf = new Map([...tickets.values()].map(({ id, projectId }) => [id, projectId]))
  await recordOnTickets(
    context,
    made.flatMap(link =>
      [link.from, link.to].flatMap(id => {
        const otherId = id === link.from ? link.to : link.from
        const after = linkReference(kindSeenFrom(id, link), otherId)
        return fresh.has(id) ? [] : [{ ticketId: id, projectId: projectOf.get(id) as number, field: 'Link', after }]
      }),
    ),
  )
  return made.length
}

/** The planned links that can be created beside the known ones. Reports those that are left out. */
function acceptedLinks(
  { problems }: ImportContext,
  planned: readonly PlannedLink[],
  tickets: Map<string, { id: number }>,
  known: readonly Link[],
  removed: ReadonlySet<string>,
) {
  const seen = new Set<string>()
  const linksOf = new Map<number, number>()
  const successors = { blocks: new Map() as Successors, precedes: new Map() as Successors }
  const add = (link: Link) => {
    seen.add(nameOf(link))
    for (const id of [link.from, link.to]) linksOf.set(id, (linksOf.get(id) ?? 0) + 1)
    if (isOrdered(link.kind)) addSuccessor(successors[link.kind], link)
  }
  for (const link of known) add(link)
  const accepted: Link[] = []
  /** Why the link is left out; undefined when it can be created. */
  const problemOf = ({ from, to, kind }: Link, other: string) => {
    if ([from, to].some(id => (linksOf.get(id) ?? 0) >= limits.linksPerTicket))
      return `a ticket has at most ${limits.linksPerTicket} links: the one with ${other} is left out`
    if (isOrdered(kind) && pathBetween(successors[kind], to, from)) return `the link with ${other} would close a cycle: it is left out`
    return undefined
  }
  for (const { row, column, kind, key, other } of planned) {
    const leaveOut = (text: string) => problems.push({ rows: [row], column, text })
    const [ticket, far] = [tickets.get(key), tickets.get(other)]
    if (!ticket || ticket.id === far?.id) continue
    if (!far) {
      leaveOut(`${other} was not imported: the link is left out until another run`)
      continue
    }
    const link = storedLink(ticket.id, far.id, kind)
    if (seen.has(nameOf(link)) || removed.has(`${link.from} ${link.to}`)) continue
    const problem = problemOf(link, other)
    if (problem) {
      leaveOut(problem)
      continue
    }
    add(link)
    accepted.push(link)
  }
  return accepted
}

function nameOf({ from, to, kind }: Link) {
  return `${from} ${to} ${kind}`
}

/** Imported tickets by their original key; this project's before others. */
async function ticketsOf({ db, organizationId, projectId }: ImportContext, keys: string[]) {
  const rows = await queryRows(db, { key: text, id: int8, projectId: int8 })`
    select distinct on (external_id) external_id as key, id, project_id as "projectId" from ticket
    where organization_id = ${organizationId} and external_id = any(${keys}::text[])
    order by external_id, project_id = ${projectId} desc, id`
  return new Map(rows.map(({ key, id, projectId }) => [key, { id, projectId }]))
}

/** Pairs of tickets whose link somebody removed. */
async function removedLinks({ db, organizationId }: ImportContext, ids: number[]) {
  const rows = await queryRows(db, { id: int8, other: int8 })`
    select ticket_id as id, (before::json ->> 'idTicket')::bigint as other from change
    where organization_id = ${organizationId} and ticket_id = any(${ids}) and field = 'Link' and before is not null and after is null`
  return new Set(rows.flatMap(({ id, other }) => [`${id} ${other}`, `${other} ${id}`]))
}
