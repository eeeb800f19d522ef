import * as contract from '@tessera/contract/projects'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { permissionList } from '../../lib/authorize.ts'

export const getProjectData = implement(contract.getProjectData, async ({ db, scope }) => {
  const { rows } = await sql<{ Title: string; ShortCode: string }>`
    select title as "Title", short_code as "ShortCode" from project
    where organization_id = ${scope.organizationId} and id = ${scope.projectId}`.execute(db)
  return {
    idProject: scope.projectId,
    Title: rows[0]?.Title as string,
    ShortCode: rows[0]?.ShortCode as string,
    Archived: scope.archived ? (1 as const) : (0 as const),
    Permissions: permissionList(scope.permissions),
  }
})
