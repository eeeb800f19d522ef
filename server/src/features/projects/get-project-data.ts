import * as contract from '@tessera/contract/projects/projects'
import { queryRows } from '../../db/db.ts'
import { flag, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { permissionList } from '../../lib/authorize.ts'
import { dueField } from './due-field.ts'

export const getProjectData = implement(contract.getProjectData, async ({ db, scope }) => {
  const [project] = await queryRows(db, { Title: text, ShortCode: text, BlockersHold: flag, HasLabels: flag, DueField: text })`
    select title as "Title", short_code as "ShortCode", blockers_hold::int as "BlockersHold",
      (exists (select 1 from label l where l.organization_id = ${scope.organizationId}
        and (l.project_id = ${scope.projectId} or l.project_id is null)))::int as "HasLabels",
      ${dueField(scope.organizationId)} as "DueField"
    from project
    where organization_id = ${scope.organizationId} and id = ${scope.projectId}`
  if (!project) throw new Error(`project ${scope.projectId} is gone`)
  return {
    idProject: scope.projectId,
    Title: project.Title,
    ShortCode: project.ShortCode,
    Archived: scope.archived ? (1 as const) : (0 as const),
    BlockersHold: project.BlockersHold,
    HasLabels: project.HasLabels,
    DueField: project.DueField,
    Permissions: permissionList(scope.permissions),
  }
})
