import type { Response } from '@tessera/contract/call'
import type { TicketLabel } from '@tessera/contract/projects/labels'
import type { searchTickets } from '@tessera/contract/tickets/search'
import { type Db, memoize, run, shortRead } from '../../../db/db.ts'
import { json } from '../../../db/shape.ts'
import { columnsAnswer, columnsRow, columnValues } from '../../tickets/columns/column-values.ts'
import { shownColumns } from '../../tickets/columns/list-columns.ts'
import { isBlocked } from '../../tickets/links/blocking/blockers.ts'
import { trashedAnswer, trashedRow } from '../../tickets/pages/list-rows.ts'
import { ancestors } from '../../tickets/ticket-tree.ts'
import type { ReachedProject } from '../query/compile-query.ts'
import type { Searcher } from '../query/read-query.ts'

type FoundTicket = Response<typeof searchTickets>['Tickets'][number]

/** The same rows as those of `query-tickets`, of any of the projects, in the order of the ids. $4 are the keys of fields, $5 the projects. */
const rowsStatement = memoize((columns: string, hasKeys: boolean) => {
  const shown = columnsAnswer(columns, 'any($5::bigint[])', '$3', hasKeys ? '$4' : '')
  return shortRead(
    { rows: json<FoundTicket[]>(), ...trashedRow, ...(shown && columnsRow) },
    `
  with recursive page as materialized (
    select t.id, t.project_id, t.template_id, t.state_id, t.title, t.parent_id, o.position
    from unnest($2::bigint[]) with ordinality as o (id, position)
    join ticket t on t.organization_id = $1 and t.id = o.id
  ), ${ancestors}
  select coalesce((select json_agg(json_build_object('id', t.id, 'pcode', p.short_code, 'Type', coalesce(tp.name, ''), 'Phase', coalesce(st.phase, 1), 'State', coalesce(st.name, ''),
    'Title', t.title, 'UserAssigned', (exists (select 1 from assignment a where a.organization_id = $1 and a.ticket_id = t.id and a.user_id = $3))::int,
    'SubordinateProposedCount', coalesce(c.proposed, 0), 'SubordinateActiveCount', coalesce(c.active, 0), 'SubordinateInactiveCount', coalesce(c.inactive, 0),
    'idParent', t.parent_id,
    'Labels', coalesce((select json_agg(json_build_object('idLabel', l.id, 'Label', l.name, 'Color', l.color) order by lower(unaccent(l.name)), l.id)
      from ticket_label tl join label l on l.organization_id = $1 and l.id = tl.label_id where tl.organization_id = $1 and tl.ticket_id = t.id), '[]'),
    'Blocked', (${isBlocked})::int,
    'Path', coalesce(path.path, '[]'),
    'idProject', t.project_id) order by t.position)
  from page t
  join project p on p.organization_id = $1 and p.id = t.project_id
  left join template tp on tp.organization_id = $1 and tp.id = t.template_id
  left join state st on st.organization_id = $1 and st.id = t.state_id
  left join ticket_subordinate c on c.organization_id = $1 and c.ticket_id = t.id
  left join (
    select up.ticket_id, json_agg(json_build_object('id', up.id, 'Title', up.title) order by up.depth desc) as path from up group by up.ticket_id
  ) path on path.ticket_id = t.id), '[]') as rows${trashedAnswer}${shown}`,
  )
})
export async function ticketRows(
  db: Db,
  { organizationId, userId }: Searcher,
  { projects }: { projects: readonly Pick<ReachedProject, 'id'>[] },
  ids: readonly number[],
  Columns: readonly string[] = [],
): Promise<FoundTicket[]> {
  if (ids.length === 0) return []
  const { columns, keys } = shownColumns({ Columns: [...Columns] })
  const given = [organizationId, ids, userId, ...(keys.length > 0 ? [keys, projects.map(({ id }) => id)] : [])]
  const [answer] = await run(db, rowsStatement(columns, keys.length > 0), given)
  if (!answer) return []
  const trashed = new Set(answer.trashed)
  const rows = answer.rows.map(row => (trashed.has(row.id) ? { ...row, Trashed: 1 as const } : row))
  if (Columns.length === 0) return rows
  const labels = rows.flatMap(({ id, Labels }) => Labels.map((label): [number, TicketLabel] => [id, label]))
  const valuesOf = columnValues(Columns, { ...answer, labels })
  return rows.map(row => ({ ...row, Values: valuesOf(row.id) }))
}
