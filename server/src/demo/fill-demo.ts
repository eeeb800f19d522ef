import { allPermissions, contributorPermissions } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { storeAttachment } from '../features/tickets/attachments/queries.ts'
import { mendCounters } from '../features/tickets/counters.ts'
import { assigneePair, commentReference } from '../features/tickets/history/rules.ts'
import { newToken } from '../http/session-cookie.ts'
import { permissionMask } from '../lib/authorize.ts'
import { hashPassword } from '../lib/passwords.ts'
import type { System } from '../process/system.ts'
import { requireOwnStorage } from '../storage/belonging.ts'
import {
  bugs,
  type Login,
  type Person,
  type Project,
  people,
  projects,
  remarks,
  secondOrganization,
  secondProject,
  states,
  transitions,
  types,
} from './content.ts'
import { stationPicture } from './picture.ts'

export interface DemoPerson {
  login: string
  password: string
  role: string
}

const day = 86_400_000

/** Pseudo-random numbers that are the same in every demo. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Fills an empty installation with a believable organization. Texts and dates depend on the day only; the passwords are random. */
export async function fillDemo({ db, storage }: System): Promise<DemoPerson[]> {
  await requireOwnStorage(db, storage)
  const signIns = people.map(({ login, role }) => ({ login, password: newToken().replaceAll(/[-_]/g, '').slice(0, 12), role }))
  const digests = await Promise.all(signIns.map(({ password }) => hashPassword(password)))
  const pictures = [0, 1, 2, 3, 4, 5].map(stationPicture)
  await db.transaction().execute(async transaction => {
    const { rows } = await sql<{ id: number; login: Login }>`
      insert into user_account (login, full_name, given_name, email, super, password_hash)
      select p.login, p.full_name, p.given_name, p.login || '@larkfield.example', p.super, p.digest
      from jsonb_to_recordset(${JSON.stringify(
        people.map((person: Person, index) => ({
          login: person.login,
          full_name: person.fullName,
          given_name: person.givenName,
          super: person.super ?? false,
          digest: digests[index],
        })),
      )}::jsonb) as p (login text, full_name text, given_name text, super boolean, digest text)
      returning id, login`.execute(transaction)
    const ids = Object.fromEntries(rows.map(({ id, login }) => [login, id])) as Record<Login, number>
    const roll = dice(20_261)
    const making = { db: transaction, storage, ids, roll, pictures, pick: <T>(from: readonly T[]) => from[roll(from.length)] as T }
    const larkfield = await makeOrganization(transaction, 'Larkfield', people, ids)
    for (const project of projects) await makeProject({ ...making, organizationId: larkfield }, project)
    const foundation = await makeOrganization(
      transaction,
      secondOrganization,
      people.filter(({ login }) => login === 'mara' || login === 'priya'),
      ids,
    )
    await makeProject({ ...making, organizationId: foundation }, secondProject)
  })
  return signIns
}

async function makeOrganization(db: Db, title: string, members: readonly Person[], ids: Record<string, number>) {
  const { id } = await db.insertInto('organization').values({ title }).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('organization_member')
    .values(
      members.map(({ login, admin, manager }) => ({
        organization_id: id,
        user_id: ids[login] ?? 0,
        admin: admin ?? false,
        manager: manager ?? false,
      })),
    )
    .execute()
  return id
}

interface Making {
  db: Db
  storage: System['storage']
  organizationId: number
  ids: Record<Login, number>
  roll: (below: number) => number
  pictures: Buffer[]
  /** A random one of them. */
  pick: <T>(from: readonly T[]) => T
}

type TicketType = (typeof types)[number]

const priorities = ['low', 'normal', 'high', 'urgent']
const formOf: Record<TicketType, string[]> = {
  Epic: ['description', 'contact', 'due'],
  Story: ['description', 'priority', 'part', 'due', 'link'],
  Task: ['description', 'hours', 'due'],
  Bug: ['description', 'priority', 'part', 'safety'],
}

async function makeProject(making: Making, project: Project) {
  const { db, organizationId } = making
  const shape = await makeShape(making, project)
  const make = (ticket: NewTicket) => makeTicket(making, project, shape, ticket)
  await makeEpics(making, project, make)
  await makeBugs(making, project, make)
  await mendCounters(db, organizationId)
  // Nobody wants mail about the demo's past.
  await sql`delete from ticket_notice where organization_id = ${organizationId}`.execute(db)
}

type Shape = Awaited<ReturnType<typeof makeShape>>

/** The project without tickets: members, roles, states, fields and templates. */
async function makeShape({ db, organizationId, ids }: Making, project: Project) {
  const { id: projectId } = await db
    .insertInto('project')
    .values({ organization_id: organizationId, title: project.title, short_code: project.shortCode, workflow_version: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const place = { organization_id: organizationId, project_id: projectId }
  await db
    .insertInto('project_member')
    .values(
      Object.entries(project.members).map(([login, permissions]) => ({
        ...place,
        user_id: ids[login as Login],
        permissions: permissionMask(
          permissions === 'all' ? allPermissions : permissions === 'contributor' ? contributorPermissions : permissions,
        ),
      })),
    )
    .execute()
  const roles = await inserted(
    db,
    'role',
    ['Responsible', 'Assignee', 'Reviewer'].map((name, position) => ({ ...place, name, position })),
  )
  const stateIds = await inserted(
    db,
    'state',
    states.map(({ name, phase }, position) => ({ ...place, name, phase, position })),
  )
  await db
    .insertInto('state_transition')
    .values(transitions.map(([from, to]) => ({ ...place, from_state_id: stateIds[from] ?? 0, to_state_id: stateIds[to] ?? 0 })))
    .execute()
  const fields = [
    { key: 'description', label: 'Details', type_id: 1, options: [] as string[] },
    { key: 'priority', label: 'Priority', type_id: 2, options: ['Low', 'Normal', 'High', 'Urgent'] },
    { key: 'part', label: 'Part', type_id: 7, options: project.components },
    { key: 'due', label: 'Due', type_id: 5, options: [] },
    { key: 'hours', label: 'Hours estimated', type_id: 4, options: [] },
    { key: 'contact', label: 'Contact', type_id: 8, options: [] },
    { key: 'link', label: 'More about it', type_id: 9, options: [] },
    { key: 'safety', label: 'Concerns safety', type_id: 6, options: [] },
  ]
  const fieldIds = await inserted(
    db,
    'field',
    fields.map(({ options, ...field }, position) => ({
      ...place,
      ...field,
      position,
      options: JSON.stringify(options.map(label => ({ value: label.toLowerCase(), label }))),
    })),
  )
  const fieldOf = (key: string) => fieldIds[fields.findIndex(field => field.key === key)] ?? 0
  const templates = await inserted(
    db,
    'template',
    types.map((name, position) => ({ ...place, name, position, entry_state_id: stateIds[name === 'Bug' ? 1 : 0] ?? 0 })),
  )
  await db
    .insertInto('template_field')
    .values(
      types.flatMap((type, index) =>
        formOf[type].map((key, position) => ({ ...place, template_id: templates[index] ?? 0, field_id: fieldOf(key), position })),
      ),
    )
    .execute()
  return { place, projectId, roles, stateIds, templates, fieldOf }
}

interface NewTicket {
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
async function makeTicket(making: Making, project: Project, shape: Shape, ticket: NewTicket) {
  const { db, storage, organizationId, ids, roll, pictures, pick } = making
  const { place, projectId, roles, stateIds, templates, fieldOf } = shape
  const by = pick(project.team)
  const assignee = pick(project.team)
  const last = Math.min(Date.now() - 3_600_000, ticket.created + (ticket.path.length + ticket.comments) * 2.3 * day)
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
  const writers = (Object.entries(project.members) as [Login, 'all' | 'contributor' | number[]][])
    .filter(([, permissions]) => !Array.isArray(permissions) || permissions.includes(6))
    .map(([login]) => login)
  for (let index = 0; index < ticket.comments; index++) {
    const author = pick(writers)
    const written = at((index + 1) / (ticket.comments + 1))
    const { id: commentId } = await db
      .insertInto('comment')
      .values({
        organization_id: organizationId,
        ticket_id: id,
        author_id: ids[author],
        text: (remarks[roll(remarks.length)] ?? '').replaceAll('%', ticket.thing),
        created_at: written,
        written_at: written,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    history.push({ at: written, by: author, field: 'Comment', before: null, after: commentReference(commentId, 1) })
  }
  history.sort((left, right) => left.at.getTime() - right.at.getTime())
  await sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, before, after, user_id, changed_at)
    select ${organizationId}::bigint, nextval('change_set_id'), 'ticket', ${id}::bigint, ${projectId}::bigint, ${id}::bigint,
      c.field, c.before, c.after, c.by, c.at
    from jsonb_to_recordset(${JSON.stringify(history.map(change => ({ ...change, by: ids[change.by] })))}::jsonb)
      as c (at timestamptz, by bigint, field text, before text, after text)`.execute(db)
  for (let index = 0; index < ticket.pictures; index++) {
    const content = pictures[roll(pictures.length)] as Buffer
    const name = `${ticket.thing.replace(/^the /, '').replaceAll(/[^\w]+/g, '-')}-${index + 1}.jpg`
    await storeAttachment(db, storage, {
      organizationId,
      projectId,
      ticketId: id,
      userId: ids[by],
      name,
      contentType: 'image/jpeg',
      content,
    })
  }
  return id
}

type MakeTicket = (ticket: NewTicket) => Promise<number>

function dueAfter(time: number) {
  return new Date(time).toISOString().slice(0, 10)
}

/** Epics with their stories, and stories with their tasks. */
async function makeEpics({ ids, roll, pick }: Making, project: Project, make: MakeTicket) {
  const beginning = Date.now() - 170 * day
  for (const [order, epic] of project.epics.entries()) {
    // Earlier epics are further along.
    const progress = 1 - order / project.epics.length
    const epicCreated = beginning + order * 18 * day + roll(5) * day
    const epicId = await make({
      type: 'Epic',
      title: epic.title,
      parentId: null,
      created: epicCreated,
      path: progress > 0.9 ? [0, 1, 2, 3, 5] : progress > 0.4 ? [0, 1, 2] : progress > 0.2 ? [0, 1] : [0],
      values: { description: epic.about, contact: String(ids[project.team[0] as Login]), due: dueAfter(epicCreated + 120 * day) },
      thing: 'the whole',
      comments: 1 + roll(2),
      pictures: 0,
    })
    for (const [title, thing] of epic.stories) {
      const storyCreated = epicCreated + (2 + roll(20)) * day
      const chance = progress + roll(40) / 100 - 0.2
      const path = chance > 0.8 ? [0, 1, 2, 3, 5] : chance > 0.65 ? [0, 1, 2, 3] : chance > 0.4 ? [0, 1, 2] : chance > 0.25 ? [0, 1] : [0]
      if (path.length === 3 && roll(4) === 0) path.push(4)
      const storyId = await make({
        type: 'Story',
        title,
        parentId: epicId,
        created: storyCreated,
        path: roll(14) === 0 ? [0, 6] : path,
        values: {
          description: `${epic.about}\n\nThis ticket is about ${thing}. It is finished when a person who has not read it can use it, and when City Operations knows what to say about it.`,
          priority: priorities[Math.min(3, roll(5))] ?? 'normal',
          part: JSON.stringify([pick(project.components).toLowerCase()]),
          due: dueAfter(storyCreated + (30 + roll(50)) * day),
          ...(roll(4) === 0 ? { link: `https://wiki.larkfield.example/${project.shortCode.toLowerCase()}/${roll(400) + 100}` } : {}),
        },
        thing,
        comments: roll(5),
        pictures: roll(project.shortCode === 'OPS' ? 2 : 4) === 0 ? 1 + roll(3) : 0,
      })
      const first = roll(project.tasks.length)
      for (let index = 0; index < 3 + roll(3); index++) {
        const created = storyCreated + (1 + roll(12)) * day
        const done = path.length >= 4 || roll(3) === 0
        await make({
          type: 'Task',
          title: (project.tasks[(first + index) % project.tasks.length] ?? '').replaceAll('%', thing),
          parentId: storyId,
          created,
          path: path.length < 3 ? [0, 1].slice(0, 1 + roll(2)) : done ? [0, 1, 2, 3, 5] : [0, 1, 2],
          values: { hours: String([0.5, 1, 2, 3, 5, 8][roll(6)]), due: dueAfter(created + (10 + roll(30)) * day) },
          thing,
          comments: roll(4) === 0 ? 1 : 0,
          pictures: 0,
        })
      }
    }
  }
}

async function makeBugs({ roll, pick }: Making, project: Project, make: MakeTicket) {
  for (const title of bugs[project.shortCode] ?? []) {
    const created = Date.now() - (2 + roll(60)) * day
    await make({
      type: 'Bug',
      title,
      parentId: null,
      created,
      path: [[1], [1, 2], [1, 2, 3], [1, 2, 3, 5]][roll(4)] ?? [1],
      values: {
        description: `What happens: ${title.toLowerCase()}.\nWhat should happen: nothing of the kind.\nSeen by two people on different days; the steps are in the first comment.`,
        priority: priorities[1 + roll(3)] ?? 'high',
        part: JSON.stringify([pick(project.components).toLowerCase()]),
        ...(roll(3) === 0 ? { safety: '1' } : {}),
      },
      thing: 'it',
      comments: 1 + roll(4),
      pictures: roll(3) === 0 ? 1 : 0,
    })
  }
}

/** Inserts rows and returns their ids in the same order. */
async function inserted(db: Db, table: 'role' | 'state' | 'field' | 'template', rows: object[]): Promise<number[]> {
  const made = await db
    .insertInto(table)
    .values(rows as never)
    .returning('id')
    .execute()
  return made.map(({ id }) => id as number)
}
