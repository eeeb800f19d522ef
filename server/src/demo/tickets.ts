import { assigneePair, commentReference, labelReference } from '../features/tickets/history/rules.ts'
import { day, type Login, type Project, remarks, types } from './content.ts'
import { formOf, type Making, type Shape, type TicketType } from './project-shape.ts'

export interface NewTicket {
  type: TicketType
  title: string
  parentId: number | null
  created: number
  path: number[]
  values: Record<string, string>
  thing: string
  comments: number
  pictures: number
}

/** Writes a ticket with its values, people, comments and history, as if it had been worked on since `created`. */
export async function makeTicket(making: Making, project: Project, shape: Shape, ticket: NewTicket) {
  const { db, organizationId, ids, roll, pictures, pick } = making
  const { place, projectId, roles, stateIds, templates, labels, fieldOf } = shape
  const by = pick(project.team)
  const assignee = pick(project.team)
  // Some tickets move every day, others once a week.
  const pace = (0.5 + (Math.floor(ticket.created / 3_600_000) % 13) / 2) * day
  const last = Math.min(Date.now() - 3_600_000, ticket.created + (ticket.path.length + ticket.comments) * pace)
  const at = (share: number) => new Date(ticket.created + (last - ticket.created) * share)
  const stateId = stateIds[ticket.path.at(-1) ?? 0] ?? 0
  const { id } = await db
    .insertInto('ticket')
    .values({
      ...place,
      template_id: templates[types.indexOf(ticket.type)] ?? 0,
      state_id: stateId,
      parent_id: ticket.parentId,
      title: ticket.title,
      created_at: at(0),
      created_by: ids[by],
      version: ticket.path.length,
      state_version: ticket.path.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const values = Object.entries(ticket.values).filter(([key]) => formOf[ticket.type].includes(key))
  if (values.length > 0) {
    await db
      .insertInto('ticket_value')
      .values(values.map(([key, value]) => ({ organization_id: organizationId, ticket_id: id, field_id: fieldOf(key), value })))
      .execute()
  }
  const history: { at: Date; by: Login; field: string; before: string | null; after: string | null }[] = [
    { at: at(0), by, field: 'Ticket', before: null, after: ticket.title },
  ]
  const carried = roll(5) < 3 ? [pick(labels), ...(roll(3) === 0 ? [pick(labels)] : [])].filter(isFirst) : []
  for (const label of carried) history.push({ at: at(0.02), by, field: 'Label', before: null, after: labelReference(label.id, label.name) })
  for (const [index, state] of ticket.path.entries()) {
    const before = ticket.path[index - 1]
    if (before !== undefined)
      history.push({
        at: at(index / ticket.path.length),
        by: assignee,
        field: 'State',
        before: String(stateIds[before]),
        after: String(stateIds[state]),
      })
  }
  if (ticket.path.length > 1) {
    const pairs = [
      { login: assignee, role: roles[1] ?? 0 },
      ...(ticket.type === 'Task' ? [] : [{ login: project.team[0] as Login, role: roles[0] ?? 0 }]),
      ...(ticket.path.includes(3) ? [{ login: pick(project.team), role: roles[2] ?? 0 }] : []),
    ]
    await db
      .insertInto('assignment')
      .values(pairs.map(({ login, role }) => ({ ...place, ticket_id: id, user_id: ids[login], role_id: role })))
      .execute()
    for (const { login, role } of pairs)
      history.push({ at: at(0.05), by, field: 'Assignee', before: null, after: assigneePair(ids[login], role) })
  }
  const members = Object.keys(project.members) as Login[]
  const writers = members.filter(login => {
    const permissions = project.members[login]
    return !Array.isArray(permissions) || permissions.includes(6)
  })
  const others = making.tickets.filter(other => other.projectId === projectId)
  const sayable = remarks.filter(text => others.length > 0 || !text.includes('{ticket}'))
  for (let index = 0; index < ticket.comments; index++) {
    const author = pick(writers)
    const written = at((index + 1) / (ticket.comments + 1))
    const remark = pick(sayable)
    const asked = pick(project.team.filter(login => login !== author))
    const text = remark
      .replaceAll('%', ticket.thing)
      .replace('{person}', asked)
      .replace('{ticket}', () => pick(others).key)
    const { id: commentId } = await db
      .insertInto('comment')
      .values({ organization_id: organizationId, ticket_id: id, author_id: ids[author], text, created_at: written, written_at: written })
      .returning('id')
      .executeTakeFirstOrThrow()
    history.push({ at: written, by: author, field: 'Comment', before: null, after: commentReference(commentId, 1) })
    making.comments.push({ id: commentId, author, at: written.getTime(), readers: members })
    if (remark.includes('{person}'))
      making.mentions.push({ organization_id: organizationId, ticket_id: id, comment_id: commentId, field_id: 0, user_id: ids[asked] })
  }
  making.history.push(...history.map(change => ({ ...change, ticketId: id, projectId, by: ids[change.by] })))
  for (let index = 0; index < ticket.pictures; index++) {
    const content = pick(pictures)
    const name = `${ticket.thing.replace(/^the /, '').replaceAll(/[^\w]+/g, '-')}-${index + 1}.png`
    making.attachments.push({ organizationId, projectId, ticketId: id, userId: ids[by], name, contentType: 'image/png', content })
  }
  const made = {
    id,
    projectId,
    key: `${project.shortCode}-${id}`,
    type: ticket.type,
    title: ticket.title,
    parentId: ticket.parentId,
    by,
    created: ticket.created,
    isDone: (ticket.path.at(-1) ?? 0) >= 5,
    isBlocked: ticket.path.at(-1) === 4,
    labels: carried.map(label => label.id),
    members,
  }
  making.tickets.push(made)
  return made
}

function isFirst<T>(each: T, at: number, all: T[]) {
  return all.indexOf(each) === at
}
