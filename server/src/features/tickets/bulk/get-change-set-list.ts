import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/bulk'
import { run, statement } from '../../../db/db.ts'
import { as, bool, flag, int4, int8, json, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { personName } from '../assignees/person-name.ts'
import type { History } from './plan.ts'
import { readableRows } from './previewing/kept-tickets.ts'
import { isOfTickets } from './reverting/plan-revert.ts'
import { ownWatching, refusalToRevert } from './reverting/revertible.ts'

/** A set may have a million rows: this is how many rows of each set are read, and how many of its tickets are named. */
const sample = 100
const named = 5

/** A row of the set that represents those of the same field, label or assignee. */
type Kind = History & { isSame: boolean }

const list = statement(
  {
    idChangeSet: int8,
    What: as<'bulk' | 'import' | 'restore' | 'revert'>(text),
    By: text,
    At: int8,
    Tickets: int4,
    Reverted: flag,
    OfTickets: flag,
    Own: bool,
    kinds: nullable(json<Kind[]>()),
    Some: json<number[]>(),
  },
  `
  select s.id as "idChangeSet", s.what as "What", coalesce(${personName}, '') as "By", floor(extract(epoch from s.made_at))::bigint as "At",
    s.tickets as "Tickets", (s.reverted_by is not null)::int as "Reverted",
    ${isOfTickets}::int as "OfTickets", s.user_id is not distinct from $5 as "Own",
    told.kinds, told.tickets as "Some"
  from change_set_summary s left join user_account u on u.id = s.user_id
  cross join lateral (
    with looked as (
      (select c.ticket_id, c.field, left(c.before, 2000) as before, left(c.after, 2000) as after, c.field in ('Assignee', 'Label', 'Trash') as moves from change c
      where c.organization_id = $1 and c.change_set_id = s.id and c.project_id = s.project_id and c.subject = 'ticket'
        and (c.before is not null or c.after is not null) limit ${sample})
      union all
      (select w.ticket_id, 'Watch', w.watched::int::text, (not w.watched)::int::text, false from change_set_watching w
      where w.organization_id = $1 and w.change_set_id = s.id limit ${sample})
    ), kinds as (
      select field, min(before) as before, min(after) as after,
        bool_or(moves) or (count(distinct coalesce(after, '')) = 1 and (s.what = 'bulk' or (select count(*) from looked) < ${sample})) as same
      from looked group by field, case when moves then after is null end, case when field in ('Assignee', 'Label') then coalesce(after, before) end
    )
    select (select json_agg(json_build_object('field', field, 'before', before, 'after', after, 'isSame', same) order by field, after) from kinds) as kinds,
      (select coalesce(json_agg(id), '[]') from (select distinct ticket_id as id from looked order by id limit ${named}) first) as tickets
  ) told
  where s.organization_id = $1 and s.project_id = $2 and s.id < $3 order by s.id desc limit $4`,
)

type Change = Response<typeof contract.getChangeSetList>[number]['Changes'][number]

/** What the list says of a kind; `readable` is its row in words. */
function described(
  { field, after, isSame }: Kind,
  { Field, Before, After }: { Field: string; Before: string | null; After: string | null },
): Change {
  if (field === 'Trash') return { Field, How: after === null ? 'removed' : 'added', Value: null }
  if (field === 'Assignee' || field === 'Label') return { Field, How: after === null ? 'removed' : 'added', Value: After ?? Before }
  return isSame ? { Field, How: 'set', Value: After } : { Field, How: 'varies', Value: null }
}

export const getChangeSetList = implement(contract.getChangeSetList, async ({ db, scope, input }) => {
  const { organizationId, projectId } = scope
  const last = input.Before ?? Number.MAX_SAFE_INTEGER
  const sets = await run(db, list, [organizationId, projectId, last, input.Limit ?? limits.changeSets, scope.userId])
  const histories = sets.map(({ idChangeSet, What, kinds }) => ({ id: idChangeSet, history: What === 'import' ? [] : (kinds ?? []) }))
  const readable = await readableRows(db, scope, histories)
  return sets.map(({ kinds, Own, ...set }, index) => {
    const history = kinds ?? []
    const isWatching = kinds !== null && history.every(({ field }) => field === 'Watch')
    const refusal =
      !Own && isWatching
        ? { Refused: ownWatching }
        : refusalToRevert(
            scope,
            set.What,
            history.map(kind => [kind]),
          )
    const rows = readable[index]?.Changes ?? []
    return { ...set, ...refusal, Changes: rows.map((row, at) => described(history[at] as Kind, row)) }
  })
})
