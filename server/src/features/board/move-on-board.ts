import type { Request } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/tickets/board'
import { type Db, run, statement } from '../../db/db.ts'
import { int4, int8, nothing, nullable, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { type ProjectScope, requirePermission, type TicketScope } from '../../lib/authorize.ts'
import { invalid, notFound } from '../../lib/failure.ts'
import { requireSaveRights, saveLocked } from '../tickets/saving/set-ticket-data.ts'

type Change = Omit<Request<typeof contract.moveOnBoard>, 'idTicket' | 'After'>

export const moveOnBoard = implement(contract.moveOnBoard, async ({ db, scope, input }) => {
  const { After, ...change } = input
  requireMoveRights(scope, change)
  if (After === input.idTicket) throw invalid('After', 'must be another ticket')
  // Moves of a project run one at a time, so that each sees the result of the others. Locked before the ticket, because every save locks that last.
  if (After !== undefined) await run(db, lockBoard, [scope.projectId])
  const saved = await saveLocked(db, scope, change, requireMoveRights)
  if (After !== undefined) await place(db, scope, After)
  return saved
})

function requireMoveRights(scope: ProjectScope, change: Change) {
  const isChange = change.State !== undefined || change.data !== undefined || change.TicketAssign !== undefined
  if (isChange) requireSaveRights(scope, change)
  else requirePermission(scope, permission.editTickets)
}

const lockBoard = statement({ locked: nothing }, `select pg_advisory_xact_lock(hashtextextended('board', $1::bigint)) as locked`)

// The ranks of the ticket that goes before, and of the next one in the project after that; tickets that were never moved stand at minus their id.
// A board may show tickets of the trash. They keep their ranks, so a ticket can be placed below one of them.
// `newest`: the next new ticket gets this rank or a lower one, so a ticket that is put first goes behind it. If the present first ticket is before it,
// because newer tickets were purged, both get ranks between the same two integers.
const neighbors = statement(
  { before: nullable(text), after: nullable(text) },
  `
  with before as materialized (
    select coalesce(t.rank, -t.id) as rank from ticket t
    where t.organization_id = $1 and t.project_id = $2 and t.id = $3::bigint
  ), bound as (
    select before.rank, coalesce(before.rank, '-Infinity') as above, coalesce(ceil(-before.rank)::bigint, ${Number.MAX_SAFE_INTEGER}) as below,
      (select -max(t.id) - 1 from ticket t where t.organization_id = $1 and t.project_id = $2 and $3::bigint is null) as newest
    from (select 1) one left join before on true
  ), placed as (
    select bound.rank, newest, least(
      (select min(t.rank) from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id <> $4 and t.rank > bound.above),
      (select -max(t.id) from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id <> $4 and t.id < bound.below)
    ) as after from bound
  )
  select (case when newest is null then rank else least(newest, floor(after)) end)::text as before, after::text as after from placed`,
)
// Between the two, and never an integer: those belong to tickets that were not moved.
const put = statement(
  { digits: int4 },
  `
  update ticket set rank = case
    when low is null and high is null then 0.5
    when low is null then floor(high) - 0.5
    when high is null then floor(low) + 1.5
    when floor((low + high) * 0.5) = (low + high) * 0.5 then low + (high - low) * 0.375
    else (low + high) * 0.5 end
  from (select $4::numeric as low, $5::numeric as high) between_
  where organization_id = $1 and project_id = $2 and id = $3
  returning scale(rank) as digits`,
)

/** After the decimal point; each move between the same two tickets adds a digit. */
const digitsAllowed = 100
// All ranks between the same two integers become short again, in the same order. They are cleared first, because ranks are unique at any time.
const takeOut = statement(
  { id: int8, whole: text, place: text },
  `
  with crowd as materialized (
    select t.id, t.rank from ticket one join ticket t on t.organization_id = $1 and t.project_id = $2
      and t.rank > floor(one.rank) and t.rank < floor(one.rank) + 1
    where one.organization_id = $1 and one.id = $3
  ), cleared as (
    update ticket t set rank = null from crowd where t.organization_id = $1 and t.id = crowd.id
  )
  select id, floor(rank)::text as whole, round(row_number() over (order by rank)::numeric / (count(*) over () + 1), 12)::text as place from crowd`,
)
const putBack = statement(
  {},
  `update ticket t set rank = r.whole + r.place from unnest($2::bigint[], $3::numeric[], $4::numeric[]) as r (id, whole, place)
  where t.organization_id = $1 and t.id = r.id`,
)

async function place(db: Db, { organizationId, projectId, ticketId }: TicketScope, after: number | null) {
  const [found] = await run(db, neighbors, [organizationId, projectId, after, ticketId])
  if (!found || (after !== null && found.before === null)) throw notFound()
  const [placed] = await run(db, put, [organizationId, projectId, ticketId, found.before, found.after])
  if (!placed || placed.digits <= digitsAllowed) return
  const spread = await run(db, takeOut, [organizationId, projectId, ticketId])
  const columns = [spread.map(({ id }) => id), spread.map(({ whole }) => whole), spread.map(({ place: share }) => share)]
  await run(db, putBack, [organizationId, ...columns])
}
