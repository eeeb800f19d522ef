import { type Db, queryRows } from '../../../db/db.ts'
import { bool, json } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { Failure } from '../../../lib/failure.ts'
import { firstRoles } from '../../projects/create-project.ts'

/**
 * 422 if the project has states, fields, templates, or roles besides those that a new project has; archived ones count. Without a template it
 * has no tickets either. Returns the ids of its roles. Call under the lock.
 */
export async function requireNoSetUp(db: Db, { organizationId, projectId }: ProjectScope): Promise<number[]> {
  const [found] = await queryRows(db, { states: bool, fields: bool, templates: bool, roles: json<{ id: number; name: string }[]>() })`
    select
      exists (select 1 from state where organization_id = ${organizationId} and project_id = ${projectId}) as states,
      exists (select 1 from field where organization_id = ${organizationId} and project_id = ${projectId}) as fields,
      exists (select 1 from template where organization_id = ${organizationId} and project_id = ${projectId}) as templates,
      coalesce((select json_agg(json_build_object('id', id, 'name', name) order by position, id) from role
        where organization_id = ${organizationId} and project_id = ${projectId}), '[]') as roles`
  if (!found) throw new Error('A select without FROM answers one row')
  const { states, fields, templates, roles } = found
  const kinds = [
    ...(states ? ['states'] : []),
    ...(fields ? ['fields'] : []),
    ...(templates ? ['templates'] : []),
    ...(roles.every(({ name }) => firstRoles.includes(name)) ? [] : ['roles of its own']),
  ]
  if (kinds.length > 0) {
    const named = new Intl.ListFormat('en-US').format(kinds)
    throw new Failure(
      'rule',
      `This project already has ${named}, archived ones included: a set-up is copied only into a project without any`,
    )
  }
  return roles.map(({ id }) => id)
}
