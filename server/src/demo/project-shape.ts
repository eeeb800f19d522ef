import { allPermissions, contributorPermissions } from '@tessera/contract/permissions'
import type { Db } from '../db/db.ts'
import type { TemplateDefaults } from '../features/project-config/templates/defaults/template-defaults.ts'
import { firstRoles } from '../features/projects/create-project.ts'
import type { storeAttachment } from '../features/tickets/attachments/store-attachment.ts'
import { permissionMask } from '../lib/authorize.ts'
import type { System } from '../process/system.ts'
import { type Login, type Project, states, transitions, types } from './content.ts'
import { type Label, projectLabels, storyDefaults } from './content-of-teamwork.ts'

/** A created ticket, for what is added when all exist. */
export interface MadeTicket {
  id: number
  projectId: number
  key: string
  type: TicketType
  title: string
  parentId: number | null
  by: Login
  created: number
  isDone: boolean
  isBlocked: boolean
  labels: number[]
  members: Login[]
}

export interface Making {
  db: Db
  storage: System['storage']
  organizationId: number
  ids: Record<Login, number>
  roll: (below: number) => number
  pictures: Buffer[]
  organizationLabels: LabelRow[]
  tickets: MadeTicket[]
  comments: { id: number; author: Login; at: number; readers: Login[] }[]
  mentions: { organization_id: number; ticket_id: number; comment_id: number; field_id: number; user_id: number }[]
  history: { ticketId: number; projectId: number; at: Date; by: number; field: string; before: string | null; after: string | null }[]
  /** Stored last: they write their own history. */
  attachments: Parameters<typeof storeAttachment>[2][]
  /** A random one of them. */
  pick: <T>(from: readonly T[]) => T
}

interface LabelRow {
  id: number
  name: string
}

export type TicketType = (typeof types)[number]

export const formOf: Record<TicketType, string[]> = {
  Epic: ['description', 'contact', 'start', 'due'],
  Story: ['description', 'priority', 'part', 'start', 'due', 'link'],
  Task: ['description', 'hours', 'start', 'due'],
  Bug: ['description', 'priority', 'part', 'safety'],
}

/** `all`, the contributor's, or a list. */
function permissionsOf(granted: 'all' | 'contributor' | readonly number[]) {
  if (granted === 'all') return allPermissions
  return granted === 'contributor' ? contributorPermissions : granted
}

export type Shape = Awaited<ReturnType<typeof makeShape>>

/** The project without tickets: members, roles, states, fields and templates. */
export async function makeShape({ db, organizationId, ids, organizationLabels }: Making, project: Project) {
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
        permissions: permissionMask(permissionsOf(permissions)),
      })),
    )
    .execute()
  const roles = await inserted(
    db,
    'role',
    firstRoles.map((name, position) => ({ ...place, name, position })),
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
    { key: 'start', label: 'Start', type_id: 5, options: [] },
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
  const labels = [...organizationLabels, ...(await makeLabels(db, organizationId, projectId, projectLabels[project.shortCode] ?? []))]
  const [, story = 0, task = 0] = templates
  const defaults: TemplateDefaults = {
    data: { description: storyDefaults.text },
    Children: storyDefaults.tasks.map(Title => ({ idTemplate: task, Title })),
  }
  await db
    .updateTable('template')
    .set({ defaults: JSON.stringify(defaults) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', story)
    .execute()
  await db
    .insertInto('template_field')
    .values(
      types.flatMap((type, index) =>
        formOf[type].map((key, position) => ({ ...place, template_id: templates[index] ?? 0, field_id: fieldOf(key), position })),
      ),
    )
    .execute()
  return { place, projectId, roles, stateIds, templates, labels, fieldOf }
}

/** Without a project they are the organization's. */
export async function makeLabels(db: Db, organizationId: number, projectId: number | null, labels: Label[]): Promise<LabelRow[]> {
  return await db
    .insertInto('label')
    .values(labels.map(label => ({ organization_id: organizationId, project_id: projectId, ...label })))
    .returning(['id', 'name'])
    .execute()
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
