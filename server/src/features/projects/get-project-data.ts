import * as contract from '@tessera/contract/projects'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { permissionList } from '../../lib/authorize.ts'

export const getProjectData = implement(contract.getProjectData, async ({ db, scope }) => {
  const { rows } = await sql<{ Title: string; ShortCode: string; BlockersHold: 0 | 1; HasLabels: 0 | 1 }>`
    select title as "Title", short_code as "ShortCode", blockers_hold::int as "BlockersHold",
      (exists (select 1 from label l where l.organization_id = ${scope.organizationId}
        and (l.project_id = ${scope.projectId} or l.project_id is null)))::int as "HasLabels"
    from project
    where organization_id = ${scope.organizationId} and id = ${scope.projectId}`.execute(db)
  return {
    idProject: scope.projectId,
    Title: rows[0]?.Title as string,
    ShortCode: rows[0]?.ShortCode as string,
    Archived: scope.archived ? (1 as const) : (0 as const),
    BlockersHold: rows[0]?.BlockersHold as 0 | 1,
    HasLabels: rows[0]?.HasLabels as 0 | 1,
    Permissions: permissionList(scope.permissions),
  }
})
