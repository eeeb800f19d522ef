import * as contract from '@tessera/contract/projects/project-config'
import { run, statement } from '../../../db/db.ts'
import { int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const list = statement(
  { idTicketTemplate: int8, Description: text },
  `
  select id as "idTicketTemplate", name as "Description" from template
  where organization_id = $1 and project_id = $2 and (archived_at is not null) = $3
    and ($4::bigint is null or exists (
      select from template_field f where f.organization_id = $1 and f.template_id = template.id and f.field_id = $4))
  order by position, id`,
)

export const getTicketTemplateList = implement(contract.getTicketTemplateList, ({ db, scope, input }) =>
  run(db, list, [scope.organizationId, scope.projectId, input.Archived === 1, input.idField ?? null]),
)
