import { type Db, memoize, run, statement } from '../../../db/db.ts'
import { bool, int4, int8 } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { notFound } from '../../../lib/failure.ts'
import { blockersInWords } from '../links/blocking/blockers.ts'
import { heightsOf } from '../moving/move-all.ts'
import { storedRow } from '../saving/decide-changes.ts'
import { type ReadPart, readOf, storedTicket } from '../saving/stored-ticket.ts'
import { isNotified } from '../subscriptions/watchers.ts'
import { holdTickets, linesAbove, lockTree } from '../ticket-tree.ts'
import { type BulkChange, type BulkStored, blockedAmong, planAll, withinLimit } from './plan.ts'

const readMany = memoize((...parts: ReadPart[]) =>
  statement(
    { id: int8, watched: bool, ...storedRow },
    `
  select held.id, ${isNotified('held')} as watched, stored.* from ticket held
  join user_account u on u.id = $4
  cross join lateral (${storedTicket(parts, 't.id = held.id', '$2', 5)}) stored
  left join subscription n on n.organization_id = $1 and n.ticket_id = held.id and n.user_id = $4
  where held.organization_id = $1 and held.project_id = $2 and held.id = any($3) order by held.id`,
  ),
)
/** The tickets that exist in the project, with what a change needs to know of them. `values`: what it gives to fields, if that differs between tickets. */
export function readTickets(
  db: Db,
  scope: ProjectScope,
  ids: readonly number[],
  change: BulkChange,
  values?: readonly string[],
): Promise<BulkStored[]> {
  const { parts, parameters } = readOf(change, values)
  return run(db, readMany(...parts), [scope.organizationId, scope.projectId, ids, scope.userId, ...parameters])
}

const holdParts = statement(
  { held: int4 },
  `
  with limited as materialized (
    select id from state where organization_id = $1 and project_id = $2 and id = $3 and limit_holds for no key update
  ), states as materialized (
    select id from state where organization_id = $1 and project_id = $2 and id = $3 and (select count(*) from limited) >= 0 for key share
  ), templates as materialized (
    select id from template where organization_id = $1 and project_id = $2 and id = $7 for key share
  ), fields as materialized (
    select id from field where organization_id = $1 and project_id = $2 and key = any($4::text[]) order by id for key share
  ), roles as materialized (
    select id from role where organization_id = $1 and project_id = $2 and id = any($5::bigint[]) order by id for key share
  ), labels as materialized (
    select id from label where organization_id = $1 and id = any($6::bigint[]) order by id for key share
  )
  select ((select count(*) from states) + (select count(*) from templates) + (select count(*) from fields) + (select count(*) from roles) + (select count(*) from labels))::int as held`,
)
/**
 * Until the transaction ends, nobody else changes these tickets or the project's tree, deletes what the change names, or changes which values its
 * fields take. If the change moves them to a state with an enforced limit, nobody else moves tickets to it.
 */
export async function lockTickets(db: Db, scope: ProjectScope, ids: readonly number[], change: BulkChange) {
  await lockTree(db, scope)
  const { State = null, idTemplate = null, data = {}, TicketAssign = [], Labels = [] } = change
  const parts = [State, Object.keys(data), TicketAssign.map(({ idRole }) => idRole), Labels.map(({ idLabel }) => idLabel), idTemplate]
  await run(db, holdParts, [scope.organizationId, scope.projectId, ...parts])
  await holdTickets(db, scope, ids)
}

const belowStatement = statement(
  { tickets: int4 },
  `
  with recursive below (id) as (
    select t.id from ticket t where t.organization_id = $1 and t.parent_id = any($2) and t.trashed_at is null
    union
    select t.id from below join ticket t on t.organization_id = $1 and t.parent_id = below.id and t.trashed_at is null
  )
  select count(*)::int as tickets from below where id <> all($2)`,
)
/** How many tickets below these, and not among them, would go to the trash with them. */
export async function countBelow(db: Db, { organizationId }: ProjectScope, ids: readonly number[]) {
  return (await run(db, belowStatement, [organizationId, ids]))[0]?.tickets ?? 0
}

// Also returns whether the same change makes the blocker inactive. Only links to these tickets are read, each end by its key: while the tables have
// no statistics, the planner would otherwise join all tickets of the organization with each other.
const isOpen = (id: string, more = '') => `(
    select present.phase <> 3 from ticket t join state present on present.organization_id = $1 and present.id = t.state_id
    where t.organization_id = $1 and t.id = ${id} ${more})`
const blocksStatement = statement(
  { ticket: int8, blocker: int8, closes: bool },
  `
  with closing as materialized (
    select d.id from unnest($3::bigint[], $4::bigint[]) as d (id, state_id)
    join state target on target.organization_id = $1 and target.project_id = $2 and target.id = d.state_id and target.phase = 3
  ), block as materialized (
    select to_ticket_id as ticket, from_ticket_id as blocker from ticket_link
    where organization_id = $1 and kind = 'blocks' and to_ticket_id = any($3::bigint[])
      and (select blockers_hold from project where organization_id = $1 and id = $2)
  )
  select ticket, blocker, blocker in (select id from closing) as closes from block
  where (ticket in (select id from closing)) is true and ${isOpen('ticket')} and ${isOpen('blocker', 'and t.trashed_at is null')}
  order by ticket, blocker`,
)

/** What the change does to each ticket, and which of those that get an inactive state block which. */
export async function planFor(db: Db, scope: ProjectScope, tickets: readonly { stored: BulkStored; wanted: BulkChange }[]) {
  const moving = tickets.filter(({ stored, wanted }) => wanted.idParent !== undefined && wanted.idParent !== stored.parent_id)
  const around = { parentOf: new Map<number, number | null>(), height: new Map<number, number>(), trashedParents: new Set<number>() }
  if (moving.length > 0) {
    const parents = [...new Set(moving.flatMap(({ wanted }) => wanted.idParent ?? []))]
    for (const row of await linesAbove(db, scope, parents)) {
      around.parentOf.set(row.id, row.parentId)
      if (row.trashRootId !== null) around.trashedParents.add(row.id)
    }
    if (parents.some(id => !around.parentOf.has(id))) throw notFound()
    for (const { stored } of tickets) around.parentOf.set(stored.id, stored.parent_id)
    const ids = moving.map(({ stored }) => stored.id)
    // Whole subtrees, with the children that the same change moves away: these may be refused. A move that would just fit may be refused, too.
    around.height = await heightsOf(db, scope, ids, [])
  }
  const plan = planAll(tickets, around)
  const going = plan.planned.filter(({ changes }) => changes.stateId !== null)
  const blocks = await blocksAmong(
    db,
    scope,
    going.map(({ stored, changes }) => ({ id: stored.id, stateId: changes.stateId })),
  )
  const blocked = blockedAmong(plan.planned, blocks)
  const fitting = withinLimit(plan.planned.filter(({ stored }) => !blocked.has(stored.id)))
  // A blocker without room stays open, and what it blocks with it.
  for (const [id, blockers] of blockedAmong(fitting.planned, blocks)) blocked.set(id, blockers)
  const refused = [...plan.refused, ...fitting.refused]
  if (blocked.size > 0) {
    const inWords = await blockersInWords(db, scope, [...new Set([...blocked.values()].flat())])
    for (const [id, blockers] of blocked) refused.push({ id, reason: inWords(blockers) })
  }
  return { planned: fitting.planned.filter(({ stored }) => !blocked.has(stored.id)), refused, blocks }
}

/** What blocks those of the tickets that become inactive. */
export async function blocksAmong(db: Db, scope: ProjectScope, going: readonly { id: number; stateId: number | null }[]) {
  if (going.length === 0) return []
  const pairs = [going.map(({ id }) => id), going.map(({ stateId }) => stateId)]
  return run(db, blocksStatement, [scope.organizationId, scope.projectId, ...pairs])
}
