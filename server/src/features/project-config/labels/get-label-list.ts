import * as contract from '@tessera/contract/projects/labels'
import { run, statement } from '../../../db/db.ts'
import { as, int4, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const row = { idLabel: int8, Label: text, Color: text, Scope: as<'project' | 'organization'>(text), Tickets: int4 }
// A project's label is on tickets of that project alone, so an index counts them; those in the trash are few. The organization's labels are on tickets of
// other projects too: an array of ids goes through the index of the project's tickets once, where a join would look up one ticket after the other.
const list = statement(
  row,
  `
  with gone as (
    select tl.label_id, count(*)::int as tickets from ticket t
    join ticket_label tl on tl.organization_id = $1 and tl.ticket_id = t.id
    where t.organization_id = $1 and t.project_id = $2 and t.trashed_at is not null group by tl.label_id
  ), on_shared as materialized (
    select tl.label_id, tl.ticket_id from label l join ticket_label tl on tl.organization_id = $1 and tl.label_id = l.id
    where l.organization_id = $1 and l.project_id is null
  ), here as materialized (
    select t.id from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id = any(array(select ticket_id from on_shared))
  ), shared as (
    select o.label_id, count(*)::int as tickets from on_shared o join here on here.id = o.ticket_id group by o.label_id
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
