import { assigneePair, commentReference, labelReference } from '../features/tickets/history/stored-values.ts'
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

interface Event {
  at: Date
  by: Login
  field: string
  before: string | null
  after: string | null
}
/** A ticket that is being made, and what has happened to it. */
interface Life {
  id: number
  by: Login
  assignee: Login
  /** When this share of its life had passed; 0 is its creation, 1 its last change. */
  at: (share: number) => Date
  history: Event[]
}

/** Writes a ticket with its values, people, comments and history, as if it had been worked on since `created`. */
export async function makeTicket(making: Making, project: Project, shape: Shape, ticket: NewTicket) {
  const { ids, roll, pictures, pick, organizationId } = making
  const { projectId, labels } = shape
  const by = pick(project.team)
  const assignee = pick(project.team)
  const at = timesOf(ticket)
  const id = await insertTicket(making, shape, ticket, by)
  await insertValues(making, shape, ticket, id)
  const life: Life = { id, by, assignee, at, history: [{ at: at(0), by, field: 'Ticket', before: null, after: ticket.title }] }
  const carried = roll(5) < 3 ? [pick(labels), ...(roll(3) === 0 ? [pick(labels)] : [])].filter(isFirst) : []
  for (const label of carried)
    life.history.push({ at: at(0.02), by, field: 'Label', before: null, after: labelReference(label.id, label.name) })
  life.history.push(...movesOf(ticket, shape, life))
  if (ticket.path.length > 1) await assign(making, project, shape, ticket, life)
  await comment(making, project, shape, ticket, life)
  making.history.push(...life.history.map(event => ({ ...event, ticketId: id, projectId, by: ids[event.by] })))
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
    members: Object.keys(project.members) as Login[],
  }
  making.tickets.push(made)
  return made
}

function timesOf({ created, path, comments }: NewTicket) {
  // Some tickets move every day, others once a week.
  const pace = (0.5 + (Math.floor(created / 3_600_000) % 13) / 2) * day
  const last = Math.min(Date.now() - 3_600_000, created + (path.length + comments) * pace)
  return (share: number) => new Date(created + (last - created) * share)
}

async function insertTicket({ db, ids }: Making, { place, templates, stateIds }: Shape, ticket: NewTicket, by: Login) {
  const { id } = await db
    .insertInto('ticket')
    .values({
      ...place,
      template_id: templates[types.indexOf(ticket.type)] ?? 0,
      state_id: stateIds[ticket.path.at(-1) ?? 0] ?? 0,
      parent_id: ticket.parentId,
      title: ticket.title,
      created_at: new Date(ticket.created),
      created_by: ids[by],
      version: ticket.path.length,
      state_version: ticket.path.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function insertValues({ db, organizationId }: Making, { fieldOf }: Shape, ticket: NewTicket, id: number) {
  const values = Object.entries(ticket.values).filter(([key]) => formOf[ticket.type].includes(key))
  if (values.length === 0) return
  await db
    .insertInto('ticket_value')
    .values(values.map(([key, value]) => ({ organization_id: organizationId, ticket_id: id, field_id: fieldOf(key), value })))
    .execute()
}

/** Its changes of state, in order. */
function movesOf({ path }: NewTicket, { stateIds }: Shape, { assignee, at }: Life): Event[] {
  return path.slice(1).map((state, index) => ({
    at: at((index + 1) / path.length),
    by: assignee,
    field: 'State',
    before: String(stateIds[path[index] as number]),
    after: String(stateIds[state]),
  }))
}

async function assign({ db, ids, pick }: Making, project: Project, { place, roles }: Shape, ticket: NewTicket, life: Life) {
  const pairs = [
    { login: life.assignee, role: roles[1] ?? 0 },
    ...(ticket.type === 'Task' ? [] : [{ login: project.team[0] as Login, role: roles[0] ?? 0 }]),
    ...(ticket.path.includes(3) ? [{ login: pick(project.team), role: roles[2] ?? 0 }] : []),
  ]
  await db
    .insertInto('assignment')
    .values(pairs.map(({ login, role }) => ({ ...place, ticket_id: life.id, user_id: ids[login], role_id: role })))
    .execute()
  for (const { login, role } of pairs)
    life.history.push({ at: life.at(0.05), by: life.by, field: 'Assignee', before: null, after: assigneePair(ids[login], role) })
}

async function comment(making: Making, project: Project, { projectId }: Shape, ticket: NewTicket, { id, at, history }: Life) {
  const { db, organizationId, ids, pick } = making
  const readers = Object.keys(project.members) as Login[]
  const writers = readers.filter(login => {
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
    making.comments.push({ id: commentId, author, at: written.getTime(), readers })
    if (remark.includes('{person}'))
      making.mentions.push({ organization_id: organizationId, ticket_id: id, comment_id: commentId, field_id: 0, user_id: ids[asked] })
  }
}

function isFirst<T>(each: T, at: number, all: T[]) {
  return all.indexOf(each) === at
}
