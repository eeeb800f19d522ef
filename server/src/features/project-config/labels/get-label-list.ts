import * as contract from '@tessera/contract/projects/labels'
import { run, statement } from '../../../db/db.ts'
import { as, int4, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const row = { idLabel: int8, Label: text, Color: text, Scope: as<'project' | 'organization'>(text), Tickets: int4 }
// A project's label is on tickets of that project alone, so an index counts them; those in the trash are few.
const list = statement(
  row,
  `
  with gone as (
    select tl.label_id, count(*)::int as tickets from ticket t
    join ticket_label tl on tl.organization_id = $1 and tl.ticket_id = t.id
    where t.organization_id = $1 and t.project_id = $2 and t.trashed_at is not null group by tl.label_id
  ), shared as (
    select tl.label_id, count(*)::int as tickets from label l
    join ticket_label tl on tl.organization_id = $1 and tl.label_id = l.id
    join ticket t on t.organization_id = $1 and t.id = tl.ticket_id and t.project_id = $2
    where l.organization_id = $1 and l.project_id is null group by tl.label_id
  )
  select l.id as "idLabel", l.name as "Label", l.color as "Color",
    case when l.project_id is null then 'organization' else 'project' end as "Scope",
    coalesce(case when l.project_id is null then shared.tickets
      else (select count(*)::int from ticket_label tl where tl.organization_id = $1 and tl.label_id = l.id) end, 0) - coalesce(gone.tickets, 0) as "Tickets"
  from label l left join shared on shared.label_id = l.id left join gone on gone.label_id = l.id
  where l.organization_id = $1 and (l.project_id = $2 or l.project_id is null)
  order by lower(unaccent(l.name)), l.id`,
)

export const getLabelList = implement(contract.getLabelList, ({ db, scope }) => run(db, list, [scope.organizationId, scope.projectId]))
