import { sql } from 'kysely'
import { storedLink } from '../features/tickets/links/link-kinds.ts'
import { linkChanges } from '../features/tickets/links/queries.ts'
import type { Login } from './content.ts'
import { links } from './content-of-teamwork.ts'
import type { MadeTicket, Making } from './project-shape.ts'

const hour = 3_600_000
const reactions = ['+1', '+1', 'heart', 'rocket', 'eyes', 'hooray', 'laugh']

/** What the people of an organization add to its tickets: labels, links, watchers and reactions; then the history of it all, in its order. */
export async function addTeamwork(making: Making) {
  const { db, organizationId, tickets, comments, mentions } = making
  const labelled = tickets.flatMap(({ id, labels }) =>
    labels.map(label_id => ({ organization_id: organizationId, ticket_id: id, label_id })),
  )
  await db.insertInto('ticket_label').values(labelled).execute()
  await addLinks(making)
  await addWatchers(making)
  if (mentions.length > 0) await db.insertInto('mention').values(mentions).execute()
  const reacting = comments.flatMap(({ id, author, at, readers }) => {
    if (making.roll(3) !== 0) return []
    const others = readers.filter(login => login !== author).slice(0, 1 + making.roll(4))
    return others.map(login => ({
      organization_id: organizationId,
      comment_id: id,
      reaction: making.pick(reactions),
      user_id: making.ids[login],
      created_at: new Date(Math.min(at + making.roll(20) * hour, Date.now())),
    }))
  })
  if (reacting.length > 0) await db.insertInto('comment_reaction').values(reacting).execute()
  await writeHistory(making)
}

async function addLinks({ db, organizationId, tickets, history, ids, roll }: Making) {
  const titled = new Map(tickets.map(ticket => [ticket.title, ticket]))
  const ofId = new Map(tickets.map(ticket => [ticket.id, ticket]))
  const written = links.flatMap(([from, kind, to]) => {
    const [one, other] = [titled.get(from), titled.get(to)]
    return one && other ? [storedLink(one.id, other.id, kind)] : []
  })
  // Open tasks of one story wait for each other, in the order in which they were created, so there is no cycle.
  const open = tickets.filter(({ type, isDone }) => type === 'Task' && !isDone)
  const waiting = open.flatMap((task, index) => {
    const next = open[index + 1]
    return next && next.parentId === task.parentId && roll(4) === 0 ? [storedLink(task.id, next.id, 'blocks')] : []
  })
  // Tickets in the state Blocked wait for the previous task, of another story.
  const blocked = tickets.flatMap((ticket, index) => {
    const blocker = ticket.isBlocked ? tickets.slice(0, index).findLast(({ type, isDone }) => type === 'Task' && !isDone) : undefined
    return blocker ? [storedLink(blocker.id, ticket.id, 'blocks')] : []
  })
  const all = [...written, ...waiting, ...blocked]
  if (all.length === 0) return
  await db
    .insertInto('ticket_link')
    .values(all.map(({ from, to, kind }) => ({ organization_id: organizationId, from_ticket_id: from, to_ticket_id: to, kind })))
    .execute()
  for (const link of all) {
    const [from, to] = [ofId.get(link.from), ofId.get(link.to)] as [MadeTicket, MadeTicket]
    const at = new Date(Math.min(Date.now() - hour, Math.max(from.created, to.created) + (1 + roll(20)) * hour))
    for (const { ticketId = 0, field, before, after } of linkChanges(link, id => ofId.get(id)?.projectId ?? 0, false))
      history.push({ ticketId, projectId: ofId.get(ticketId)?.projectId ?? 0, at, by: ids[to.by], field, before, after })
  }
}

/** Members follow some of the larger tickets. */
async function addWatchers({ db, organizationId, tickets, ids, roll }: Making) {
  const watching = tickets.flatMap(({ id, type, members }) => {
    if (type === 'Task' || roll(2) === 0) return []
    const first = roll(members.length)
    const some = new Set<Login>([...members, ...members].slice(first, first + 1 + roll(3)))
    return [...some].map(login => ({ organization_id: organizationId, ticket_id: id, user_id: ids[login], enabled: true, own: true }))
  })
  if (watching.length > 0) await db.insertInto('subscription').values(watching).execute()
}

/** In the order of time, so that ids and times agree. */
async function writeHistory({ db, organizationId, history }: Making) {
  const inOrder = history.toSorted((left, right) => left.at.getTime() - right.at.getTime())
  await sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, before, after, user_id, changed_at)
    select ${organizationId}::bigint, nextval('change_set_id'), 'ticket', c."ticketId", c."projectId", c."ticketId",
      c.field, c.before, c.after, c.by, c.at
    from jsonb_to_recordset(${JSON.stringify(inOrder)}::jsonb)
      as c ("ticketId" bigint, "projectId" bigint, at timestamptz, by bigint, field text, before text, after text)`.execute(db)
}
