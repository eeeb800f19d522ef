import * as contract from '@tessera/contract/projects/labels'
import { run, statement } from '../../../db/db.ts'
import { as, int4, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const row = { idLabel: int8, Label: text, Color: text, Scope: as<'project' | 'organization'>(text), Tickets: int4 }
const list = statement(
  row,
  `
  select l.id as "idLabel", l.name as "Label", l.color as "Color",
    case when l.project_id is null then 'organization' else 'project' end as "Scope",
    (select count(*)::int from ticket_label tl
      join ticket t on t.organization_id = $1 and t.id = tl.ticket_id and t.project_id = $2 and t.trashed_at is null
      where tl.organization_id = $1 and tl.label_id = l.id) as "Tickets"
  from label l where l.organization_id = $1 and (l.project_id = $2 or l.project_id is null)
  order by lower(unaccent(l.name)), l.id`,
)

export const getLabelList = implement(contract.getLabelList, ({ db, scope }) => run(db, list, [scope.organizationId, scope.projectId]))
