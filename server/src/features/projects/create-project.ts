import { allPermissions } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/projects/projects'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { permissionMask } from '../../lib/authorize.ts'
import { recordChanges } from '../../lib/changes.ts'
import { Failure } from '../../lib/failure.ts'

/** What a new project has by itself. */
export const firstRoles = ['Responsible', 'Assignee', 'Reviewer']

/** The creator configures states, fields and templates; docs/decisions/006 says why there are no defaults. */
export const createProject = implement(contract.createProject, async ({ db, scope, input }) => {
  const { organizationId, userId } = scope
  const [made] = await queryRows(db, { id: int8 })`
    insert into project (organization_id, title, short_code) values (${organizationId}, ${input.Title}, ${input.ShortCode})
    on conflict (organization_id, lower(short_code)) do nothing returning id`
  if (!made) throw new Failure('duplicate', `The short code ${input.ShortCode} is taken in this organization`)
  await sql`
    insert into role (organization_id, project_id, name, position)
    select ${organizationId}::bigint, ${made.id}::bigint, role.name, role.ordinality - 1
    from unnest(${firstRoles}::text[]) with ordinality as role (name, ordinality)`.execute(db)
  // A super user need not belong to the organization, and sees the project anyway.
  await sql`
    insert into project_member (organization_id, project_id, user_id, permissions)
    select organization_id, ${made.id}::bigint, user_id, ${permissionMask(allPermissions)}::int from organization_member
    where organization_id = ${organizationId} and user_id = ${userId}`.execute(db)
  await recordChanges(db, scope, [
    { subject: 'project', subjectId: made.id, projectId: made.id, field: 'Title', before: null, after: input.Title },
    { subject: 'project', subjectId: made.id, projectId: made.id, field: 'ShortCode', before: null, after: input.ShortCode },
  ])
  return { Success: 1 as const, idProject: made.id }
})
