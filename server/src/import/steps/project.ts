import { allPermissions } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { bool, int8 } from '../../db/shape.ts'
import { firstRoles } from '../../features/projects/create-project.ts'
import { permissionMask } from '../../lib/authorize.ts'
import { OperatorError } from '../../operator-error.ts'
import { type ImportContext, record } from './context.ts'

export interface Target {
  organizationId: number
  /** The short code of a project of the organization, created if necessary. */
  shortCode: string
  title: string
  /** The person who runs the import; becomes a member of the project with every permission. */
  importerId?: number
}
/** The project with this short code, locked until the import ends; created if necessary. */
export async function openProject(db: Db, target: Target): Promise<ImportContext> {
  const context = await findOrMake(db, target)
  if (target.importerId !== undefined) {
    await sql`
      insert into project_member (organization_id, project_id, user_id, permissions)
      values (${target.organizationId}, ${context.projectId}, ${target.importerId}, ${permissionMask(allPermissions)})
      on conflict (organization_id, project_id, user_id) do nothing`.execute(db)
  }
  return context
}

async function findOrMake(db: Db, { organizationId, shortCode, title, importerId }: Target): Promise<ImportContext> {
  const changeSet = await queryRows(db, { id: int8 })`select nextval('change_set_id')::bigint as id`
  const context = { db, organizationId, projectId: 0, changeSetId: changeSet[0]?.id ?? 0, importerId: importerId ?? null, problems: [] }
  const existing = await queryRows(db, { id: int8, archived: bool })`
    select id, archived_at is not null as archived from project
    where organization_id = ${organizationId} and lower(short_code) = lower(${shortCode}) for update`
  const [project] = existing
  if (project?.archived) throw new OperatorError(`The project ${shortCode} is archived: restore it first.`)
  if (project) return { ...context, projectId: project.id }
  const created = await db
    .insertInto('project')
    .values({ organization_id: organizationId, title, short_code: shortCode })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  // Another import has just made it.
  if (!created) return findOrMake(db, { organizationId, shortCode, title, ...(importerId === undefined ? {} : { importerId }) })
  const projectId = created.id
  await db
    .insertInto('role')
    .values(firstRoles.map((name, position) => ({ organization_id: organizationId, project_id: projectId, name, position })))
    .execute()
  const made = { ...context, projectId }
  await record(made, [{ subject: 'project', id: projectId, field: 'Project', after: title }])
  return made
}

/** The role that the export's assignees get. */
export async function assigneeRole({ db, organizationId, projectId }: ImportContext) {
  const rows = await queryRows(db, { id: int8 })`
    select id from role where organization_id = ${organizationId} and project_id = ${projectId}
    order by lower(name) = 'assignee' desc, position limit 1`
  if (!rows[0]) throw new OperatorError('The project has no role for assignees: add one first.')
  return rows[0].id
}
