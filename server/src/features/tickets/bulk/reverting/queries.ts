import { limits } from '@tessera/contract/limits'
import { type Db, run, statement } from '../../../../db/db.ts'
import { bool, int8, nullable, text } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { linesAbove } from '../../moving/queries.ts'
import { holdGroups } from '../../trash/queries.ts'
import { readableRows } from '../previewing/queries.ts'
import { planFor, readTickets } from '../queries.ts'
import { type History, type Plan, type Planned, reversed, sinceThen, together } from '../rules.ts'

/** What takes a change set back. */
export interface Back {
  planned: Planned[]
  /** Groups that come out of the trash. */
  groups: Awaited<ReturnType<typeof holdGroups>>
  /** Tickets that go to the trash. */
  trash: number[]
  refused: Plan['refused']
}
const nothing: Back = { planned: [], groups: [], trash: [], refused: [] }

const changeRow = { ticket: int8, field: text, before: nullable(text), after: nullable(text) }
const changesOf = statement(
  changeRow,
  `
  select ticket_id as ticket, field, before, after from change
  where organization_id = $1 and project_id = $2 and change_set_id = $3 and subject = 'ticket' order by id`,
)
// By ticket: every step would otherwise read the whole set.
const changesOfSome = statement(
  changeRow,
  `
  select c.ticket_id as ticket, c.field, c.before, c.after from unnest($4::bigint[]) as wanted (id)
  join change c on c.organization_id = $1 and c.ticket_id = wanted.id and c.project_id = $2 and c.change_set_id = $3 and c.subject = 'ticket' order by c.id`,
)
/** What the set changed of these tickets, or of all. */
export async function rowsOf(db: Db, { organizationId, projectId }: ProjectScope, idChangeSet: number, tickets: readonly number[] | null) {
  const set = [organizationId, projectId, idChangeSet]
  const rows = tickets === null ? await run(db, changesOf, set) : await run(db, changesOfSome, [...set, tickets])
  return Map.groupBy(rows, ({ ticket }) => ticket)
}
export type Rows = ReadonlyMap<number, readonly History[]>

const allStates = statement({ id: int8 }, 'select id from state where organization_id = $1 and project_id = $2 for key share')

/** What takes a bulk change of these tickets back. */
export async function planBack(db: Db, scope: ProjectScope, rows: Rows): Promise<Back> {
  const wholly = [...rows.values()].map(reversed)
  const tickets = await readTickets(db, scope, [...rows.keys()], together(wholly))
  const states = new Set((await run(db, allStates, [scope.organizationId, scope.projectId])).map(({ id }) => id))
  const parents = wholly.flatMap(({ idParent }) => idParent ?? [])
  const found = new Set(parents.length > 0 ? (await linesAbove(db, scope, parents)).map(({ id }) => id) : [])
  // Those that went to the trash with another one come back with it.
  const roots = [...rows].flatMap(([ticket, changed]) =>
    changed.filter(({ field, after }) => field === 'Trash' && after === String(ticket)).map(() => ticket),
  )
  const groups = roots.length > 0 ? await holdGroups(db, scope, roots) : []

  const kept: { id: number; row: History }[] = []
  const trash: number[] = []
  const wanted = []
  for (const stored of tickets) {
    const changed = (rows.get(stored.id) ?? []).filter(({ field, after }) => !(field === 'Trash' && after !== null))
    const then = sinceThen(stored, changed, { states, parents: found })
    kept.push(...then.kept.map(row => ({ id: stored.id, row })))
    if (then.back.length === 0) continue
    const change = reversed(then.back)
    // A step back needs no way in the workflow; the state exists.
    if (change.Trash) trash.push(stored.id)
    else wanted.push({ stored: { ...stored, reachable: true }, wanted: change })
  }
  const { planned, refused } = await planFor(db, scope, wanted)
  return {
    ...nothing,
    planned: planned.filter(({ history }) => history.length > 0),
    groups,
    trash,
    refused: [...refused, ...(await namesOfKept(db, scope, kept))],
  }
}

/** Why the rest stays as it is, in words. */
async function namesOfKept(db: Db, scope: ProjectScope, kept: readonly { id: number; row: History }[]): Promise<Plan['refused']> {
  if (kept.length === 0) return []
  const named = await readableRows(
    db,
    scope,
    kept.map(({ id, row }) => ({ id, history: [row] })),
  )
  return named.map(({ id, Changes: [change] }) => ({ id, reason: `Changed since, and left as it is: ${change?.Field}` }))
}

// ── Imports ─────────────────────────────────────────────────────────────────

const importedStatement = statement(
  { id: int8, parentId: nullable(int8) },
  `
  select t.id, t.parent_id as "parentId" from change c join ticket t on t.organization_id = $1 and t.id = c.ticket_id
  where c.organization_id = $1 and c.project_id = $2 and c.change_set_id = $3 and c.subject = 'ticket' and c.field = 'Ticket' order by t.id`,
)
/** The tickets that an import made and that still exist, those above before those below. */
export async function importedTickets(db: Db, { organizationId, projectId }: ProjectScope, idChangeSet: number): Promise<number[]> {
  const tickets = await run(db, importedStatement, [organizationId, projectId, idChangeSet])
  const parentOf = new Map(tickets.map(({ id, parentId }) => [id, parentId]))
  const levelOf = (id: number) => {
    let level = 0
    for (let next = parentOf.get(id); next != null && level <= limits.depth; next = parentOf.get(next)) level++
    return level
  }
  return tickets
    .map(({ id }) => [id, levelOf(id)] as const)
    .sort(([a, x], [b, y]) => x - y || a - b)
    .map(([id]) => id)
}

// A ticket stays with all that stands above it, or it would go to the trash with that. One that was in the trash and came back is as it was.
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
export async function planImportBack(
  db: Db,
  { organizationId, projectId }: ProjectScope,
  idChangeSet: number,
  tickets: readonly number[],
  also: readonly number[],
): Promise<Back> {
  const rows = await run(db, stayingStatement, [organizationId, projectId, idChangeSet, tickets, also])
  const found = new Map(rows.map(row => [row.id, row]))
  const back: Back = { ...nothing, trash: [], refused: [] }
  for (const id of tickets) {
    const row = found.get(id)
    if (!row) continue
    if (row.edited) back.refused.push({ id, reason: 'Changed since the import, and left as it is' })
    else if (row.holds) back.refused.push({ id, reason: 'A ticket below it stays' })
    else back.trash.push(id)
  }
  return back
}
