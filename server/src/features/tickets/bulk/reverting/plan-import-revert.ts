import { limits } from '@tessera/contract/limits'
import { type Db, run, statement } from '../../../../db/db.ts'
import { bool, int8, nullable } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { ancestorsFirst } from '../../moving/tree-moves.ts'
import type { RevertPlan } from './plan-revert.ts'

const importedStatement = statement(
  { id: int8, parentId: nullable(int8) },
  `
  select t.id, t.parent_id as "parentId" from change c join ticket t on t.organization_id = $1 and t.id = c.ticket_id
  where c.organization_id = $1 and c.project_id = $2 and c.change_set_id = $3 and c.subject = 'ticket' and c.field = 'Ticket' order by t.id`,
)
/** The tickets that an import created and that still exist, ancestors first. */
export async function importedTickets(db: Db, { organizationId, projectId }: ProjectScope, idChangeSet: number): Promise<number[]> {
  const tickets = await run(db, importedStatement, [organizationId, projectId, idChangeSet])
  const parentOf = new Map(tickets.map(({ id, parentId }) => [id, parentId]))
  return ancestorsFirst([...parentOf.keys()], parentOf)
}

// A ticket stays together with its ancestors, or it would go to the trash with them. One that was trashed and restored counts as unchanged.
const stayingStatement = statement(
  { id: int8, edited: bool, holds: bool },
  `
  with recursive below (root_id, id, depth) as (
    select id, id, 0 from ticket where organization_id = $1 and project_id = $2 and id = any($4) and trashed_at is null
    union all
    select below.root_id, t.id, below.depth + 1 from below
    join ticket t on t.organization_id = $1 and t.parent_id = below.id and t.trashed_at is null
    where below.depth <= ${limits.depth}
  ), known as materialized (
    select b.id,
      exists (select 1 from change c where c.organization_id = $1 and c.ticket_id = b.id and c.change_set_id <> $3 and c.field <> 'Trash') and b.id <> all($5) as edited,
      not exists (select 1 from change c where c.organization_id = $1 and c.ticket_id = b.id and c.change_set_id = $3 and c.field = 'Ticket') as other
    from (select distinct id from below) b
  )
  select b.root_id as id, bool_or(k.edited and b.id = b.root_id) as edited, bool_or((k.edited or k.other) and b.id <> b.root_id) as holds
  from below b join known k on k.id = b.id group by b.root_id`,
)
/** Which of these imported tickets go to the trash: those that nobody has changed since, and those of `also`. */
export async function planImportRevert(
  db: Db,
  { organizationId, projectId }: ProjectScope,
  idChangeSet: number,
  tickets: readonly number[],
  also: readonly number[],
): Promise<RevertPlan> {
  const rows = await run(db, stayingStatement, [organizationId, projectId, idChangeSet, tickets, also])
  const found = new Map(rows.map(row => [row.id, row]))
  const back: RevertPlan = { planned: [], groups: [], trash: [], refused: [] }
  for (const id of tickets) {
    const row = found.get(id)
    if (!row) continue
    if (row.edited) back.refused.push({ id, reason: 'Changed since the import, and left as it is' })
    else if (row.holds) back.refused.push({ id, reason: 'A ticket below it stays' })
    else back.trash.push(id)
  }
  return back
}
