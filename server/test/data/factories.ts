import { randomUUID } from 'node:crypto'
import { allPermissions, contributorPermissions } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import type { Db } from '../../src/db/db.ts'
import { permissionMask } from '../../src/lib/authorize.ts'

// Each creates what it needs and returns ids; names are unique unless given.

function unique(prefix: string) {
  return `${prefix} ${randomUUID().slice(0, 8)}`
}

export async function makeOrganization(db: Db, title = unique('Organization')) {
  const { id } = await db.insertInto('organization').values({ title }).returning('id').executeTakeFirstOrThrow()
  return id
}

interface UserOptions {
  login?: string
  fullName?: string
  email?: string
  super?: boolean
  admin?: boolean
  manager?: boolean
  passwordHash?: string
}
/** A person, member of the organization unless that is null. */
export async function makeUser(db: Db, organizationId: number | null, options: UserOptions = {}) {
  const login = options.login ?? unique('user').replace(' ', '-')
  const { id } = await db
    .insertInto('user_account')
    .values({
      login,
      full_name: options.fullName ?? '',
      email: options.email ?? `${login}@example.com`,
      super: options.super ?? false,
      password_hash: options.passwordHash ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (organizationId !== null) {
    await db
      .insertInto('organization_member')
      .values({ organization_id: organizationId, user_id: id, admin: options.admin ?? false, manager: options.manager ?? false })
      .execute()
  }
  return id
}

/** A project with states Open (1), Doing (2), Done (3), fields `note` (TEXTMULTILINE) and `size` (SELECT), templates Bug and Task, three roles. */
export async function makeProject(db: Db, organizationId: number, options: { title?: string; shortCode?: string } = {}) {
  const organization = { organization_id: organizationId }
  const { id: projectId } = await db
    .insertInto('project')
    .values({ ...organization, title: options.title ?? unique('Project'), short_code: options.shortCode ?? unique('P').replace(' ', '') })
    .returning('id')
    .executeTakeFirstOrThrow()
  const project = { ...organization, project_id: projectId }
  const states = await db
    .insertInto('state')
    .values(['Open', 'Doing', 'Done'].map((name, index) => ({ ...project, name, phase: index + 1, position: index })))
    .returning('id')
    .execute()
  const fields = await db
    .insertInto('field')
    .values([
      { ...project, key: 'note', label: 'Note', type_id: 1, position: 0 },
      {
        ...project,
        key: 'size',
        label: 'Size',
        type_id: 2,
        position: 1,
        options: JSON.stringify([
          { value: 's', label: 'Small' },
          { value: 'l', label: 'Large' },
        ]),
      },
    ])
    .returning('id')
    .execute()
  const [open, doing, done] = states.map(({ id }) => id) as [number, number, number]
  const templates = await db
    .insertInto('template')
    .values(['Bug', 'Task'].map((name, position) => ({ ...project, name, entry_state_id: open, position })))
    .returning('id')
    .execute()
  const [bug, task] = templates.map(({ id }) => id) as [number, number]
  const [note, size] = fields.map(({ id }) => id) as [number, number]
  await db
    .insertInto('template_field')
    .values([bug, task].flatMap(template_id => [note, size].map((field_id, position) => ({ ...project, template_id, field_id, position }))))
    .execute()
  const roles = await db
    .insertInto('role')
    .values(['Responsible', 'Assignee', 'Reviewer'].map((name, position) => ({ ...project, name, position })))
    .returning('id')
    .execute()
  const [responsible, assignee, reviewer] = roles.map(({ id }) => id) as [number, number, number]
  return {
    projectId,
    states: { open, doing, done },
    templates: { bug, task },
    fields: { note, size },
    roles: { responsible, assignee, reviewer },
  }
}
export type MadeProject = Awaited<ReturnType<typeof makeProject>>

/** A membership; `permissions` default to a contributor's, 'all' is every one. Returns the project member's id. */
export async function makeMember(
  db: Db,
  organizationId: number,
  projectId: number,
  userId: number,
  permissions: readonly number[] | 'all' = contributorPermissions,
) {
  const { id } = await db
    .insertInto('project_member')
    .values({
      organization_id: organizationId,
      project_id: projectId,
      user_id: userId,
      permissions: permissionMask(permissions === 'all' ? allPermissions : permissions),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A ticket as `create-new-ticket` leaves it, counters included, without history. */
export async function makeTicket(
  db: Db,
  organizationId: number,
  project: MadeProject,
  options: { title?: string; parentId?: number; stateId?: number; templateId?: number } = {},
) {
  const templateId = options.templateId ?? project.templates.bug
  const stateId = options.stateId ?? project.states.open
  const { rows } = await sql<{ id: number }>`
    insert into ticket (organization_id, project_id, template_id, state_id, parent_id, title)
    values (${organizationId}, ${project.projectId}, ${templateId}, ${stateId}, ${options.parentId ?? null}, ${options.title ?? unique('Ticket')})
    returning id`.execute(db)
  await sql`
    insert into ticket_tally (organization_id, project_id, template_id, state_id, root, slot, tickets)
    values (${organizationId}, ${project.projectId}, ${templateId}, ${stateId}, ${options.parentId === undefined}, 0, 1)
    on conflict (organization_id, project_id, template_id, state_id, root, slot) do update set tickets = ticket_tally.tickets + 1`.execute(
    db,
  )
  if (options.parentId === undefined) {
    await sql`
      insert into root_tally (organization_id, project_id, slot, tickets) values (${organizationId}, ${project.projectId}, 0, 1)
      on conflict (organization_id, project_id, slot) do update set tickets = root_tally.tickets + 1`.execute(db)
  } else {
    await sql`
      insert into ticket_subordinate (organization_id, ticket_id, proposed, active, inactive)
      select ${organizationId}, ${options.parentId}, (phase = 1)::int, (phase = 2)::int, (phase = 3)::int
      from state where organization_id = ${organizationId} and id = ${stateId}
      on conflict (organization_id, ticket_id) do update set proposed = ticket_subordinate.proposed + excluded.proposed,
        active = ticket_subordinate.active + excluded.active, inactive = ticket_subordinate.inactive + excluded.inactive`.execute(db)
  }
  return rows[0]?.id as number
}
