import * as contract from '@tessera/contract/projects/projects'
import { run, statement } from '../../db/db.ts'
import { flag, int4, int8, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'

const row = { idProject: int8, Title: text, ShortCode: text }
const own = statement(
  row,
  `
  select p.id as "idProject", p.title as "Title", p.short_code as "ShortCode" from project p
  left join project_member pm on pm.organization_id = $1 and pm.project_id = p.id and pm.user_id = $2
  where p.organization_id = $1 and p.archived_at is null and ($3 or pm.permissions & 1 = 1)
  order by lower(unaccent(p.title)), p.id`,
)
const withArchived = statement(
  { ...row, Archived: flag },
  `
  select p.id as "idProject", p.title as "Title", p.short_code as "ShortCode", (p.archived_at is not null)::int as "Archived" from project p
  left join project_member pm on pm.organization_id = $1 and pm.project_id = p.id and pm.user_id = $2
  where p.organization_id = $1 and ($3 or pm.permissions & 1 = 1)
  order by lower(unaccent(p.title)), p.id`,
)
// A ticket is open unless its state is of phase 3. A project's open tickets are in counters; a person's are few. Without "offset 0" a generic plan
// reads each open state for each assignment. As an array, the ids are found in one pass through the index, and not by a scan of all tickets.
const counted = statement(
  { ...row, Open: int4, Mine: int4 },
  `
  select p.id as "idProject", p.title as "Title", p.short_code as "ShortCode",
    (select coalesce(sum(c.tickets), 0)::int from state s
      join ticket_tally c on c.organization_id = $1 and c.project_id = p.id and c.state_id = s.id
      where s.organization_id = $1 and s.project_id = p.id and s.phase < 3) as "Open",
    coalesce(mine.tickets, 0) as "Mine"
  from project p
  left join project_member pm on pm.organization_id = $1 and pm.project_id = p.id and pm.user_id = $2
  left join (
    select t.project_id, count(*)::int as tickets from ticket t
    join (select id from state where organization_id = $1 and phase < 3 offset 0) s on s.id = t.state_id
    where t.organization_id = $1 and t.trashed_at is null
      and t.id = any(array(select a.ticket_id from assignment a where a.organization_id = $1 and a.user_id = $2))
    group by t.project_id
  ) mine on mine.project_id = p.id
  where p.organization_id = $1 and p.archived_at is null and ($3 or pm.permissions & 1 = 1)
  order by lower(unaccent(p.title)), p.id`,
)
// Includes archived projects: people who may restore one find it here.
const all = statement(
  row,
  `
  select p.id as "idProject", p.title as "Title", p.short_code as "ShortCode" from project p
  where p.organization_id = $1 order by lower(unaccent(p.title)), p.id`,
)

export const getProjectList = implement(contract.getProjectList, ({ db, scope, input }) => {
  if (input.GetAll === 1 && (scope.admin || scope.manager)) return run(db, all, [scope.organizationId])
  const caller = [scope.organizationId, scope.userId, scope.admin]
  if (input.Counts === 1) return run(db, counted, caller)
  return run(db, input.Archived === 1 ? withArchived : own, caller)
})
