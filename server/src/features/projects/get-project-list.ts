import * as contract from '@tessera/contract/projects'
import { run, statement } from '../../db/db.ts'
import { int8, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'

const row = { idProject: int8, Title: text, ShortCode: text }
const own = statement(
  row,
  `
  select p.id as "idProject", p.title as "Title", p.short_code as "ShortCode" from project p
  left join project_member pm on pm.organization_id = $1 and pm.project_id = p.id and pm.user_id = $2
  where p.organization_id = $1 and p.archived_at is null and ($3 or pm.permissions & 1 = 1)
  order by lower(p.title), p.id`,
)
// Archived projects too: this is where somebody who may restore one finds it.
const all = statement(
  row,
  `
  select p.id as "idProject", p.title as "Title", p.short_code as "ShortCode" from project p
  where p.organization_id = $1 order by lower(p.title), p.id`,
)

export const getProjectList = implement(contract.getProjectList, ({ db, scope, input }) =>
  input.GetAll === 1 && (scope.admin || scope.manager)
    ? run(db, all, [scope.organizationId])
    : run(db, own, [scope.organizationId, scope.userId, scope.admin]),
)
