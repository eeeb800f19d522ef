import { type Db, run, statement } from '../../../../db/db.ts'
import { as, int8, nullable, text } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { linesAbove } from '../../ticket-tree.ts'
import { lockGroups } from '../../trash/queries.ts'
import { gone, type History, type Plan, type Planned } from '../plan.ts'
import { readableRows } from '../previewing/kept-tickets.ts'
import { planFor, readTickets } from '../queries.ts'
import { reversed, splitRevertible, unionOfChanges } from './revertible.ts'

/** A plan that reverts a change set. */
export interface RevertPlan {
  planned: Planned[]
  /** Groups to restore from the trash. */
  groups: Awaited<ReturnType<typeof lockGroups>>
  /** Tickets to move to the trash. */
  trash: number[]
  refused: Plan['refused']
}
const none: ReadonlySet<number> = new Set()

/** SQL: whether tickets can be changed back by reverting the set `s`; $1 is the organization. */
export const isOfTickets = `(s.what <> 'restore' or exists (select from change c
      where c.organization_id = $1 and c.change_set_id = s.id and c.subject = 'ticket' and c.field = 'Trash'))`

const changeRow = { ticket: int8, field: as<History['field']>(text), before: nullable(text), after: nullable(text) }
/** What the set changed of the tickets that fulfil the condition, and what of them its author, if that is user $4, watches since. */
const changesIn = (condition: (ticket: string) => string) =>
  statement(
    changeRow,
    `
  select r.ticket, r.field, r.before, r.after from (
    select c.ticket_id as ticket, c.field, c.before, c.after, c.id from change c
    where c.organization_id = $1 and c.project_id = $2 and c.change_set_id = $3 and c.subject = 'ticket' and ${condition('c.ticket_id')}
    union all
    select w.ticket_id, 'Watch', w.watched::int::text, (not w.watched)::int::text, null from change_set_watching w
    where w.organization_id = $1 and w.change_set_id = $3 and w.user_id = $4 and ${condition('w.ticket_id')}
  ) r order by r.id`,
  )
const changesOf = changesIn(() => 'true')
// Filtered by ticket, or every step would read the whole set.
const changesOfSome = changesIn(ticket => `${ticket} = any($5::bigint[])`)
/** What the set changed of these tickets, or of all. */
export async function rowsOf(
  db: Db,
  { organizationId, projectId, userId }: ProjectScope,
  idChangeSet: number,
  tickets: readonly number[] | null,
) {
  const set = [organizationId, projectId, idChangeSet, userId]
  const rows = tickets === null ? await run(db, changesOf, set) : await run(db, changesOfSome, [...set, tickets])
  return Map.groupBy(rows, ({ ticket }) => ticket)
}
export type Rows = ReadonlyMap<number, readonly History[]>

const allStates = statement({ id: int8 }, 'select id from state where organization_id = $1 and project_id = $2 for key share')
const offeredTypes = statement(
  { id: int8 },
  'select id from template where organization_id = $1 and project_id = $2 and archived_at is null for key share',
)

/** How to revert a bulk change of these tickets. */
export async function planRevert(db: Db, scope: ProjectScope, rows: Rows): Promise<RevertPlan> {
  const wholly = [...rows.values()].map(reversed)
  const values = wholly.flatMap(({ data }) => Object.values(data ?? {}))
  const tickets = await readTickets(db, scope, [...rows.keys()], unionOfChanges(wholly), values)
  const states = new Set((await run(db, allStates, [scope.organizationId, scope.projectId])).map(({ id }) => id))
  const types = wholly.some(({ idTemplate }) => idTemplate !== undefined)
    ? new Set((await run(db, offeredTypes, [scope.organizationId, scope.projectId])).map(({ id }) => id))
    : none
  const parents = wholly.flatMap(({ idParent }) => idParent ?? [])
  const found = new Set(parents.length > 0 ? (await linesAbove(db, scope, parents)).map(({ id }) => id) : [])
  // Tickets that were trashed with another one are restored with it.
  const roots = [...rows].flatMap(([ticket, changed]) =>
    changed.filter(({ field, after }) => field === 'Trash' && after === String(ticket)).map(() => ticket),
  )
  const groups = roots.length > 0 ? await lockGroups(db, scope, roots) : []

  const kept: Kept[] = []
  const trash: number[] = []
  const wanted = []
  for (const stored of tickets) {
    const changed = (rows.get(stored.id) ?? []).filter(({ field, after }) => !(field === 'Trash' && after !== null))
    const then = splitRevertible(stored, changed, { states, types, parents: found })
    kept.push(...then.kept.map(each => ({ id: stored.id, ...each })))
    if (then.back.length === 0) continue
    const change = reversed(then.back)
    // A revert ignores the workflow, and which fields a ticket's type has; state and type exist.
    const fields = stored.fields.map(field => ({ ...field, is_shown: true }))
    if (change.Trash) trash.push(stored.id)
    else wanted.push({ stored: { ...stored, fields, reachable: true, is_offered: true }, wanted: change })
  }
  const { planned, refused } = await planFor(db, scope, wanted)
  const present = new Set(tickets.map(({ id }) => id))
  const missing = [...rows.keys()].filter(id => !present.has(id)).map(id => ({ id, reason: gone }))
  return {
    planned: planned.filter(({ history }) => history.length > 0),
    groups,
    trash,
    refused: [...missing, ...refused, ...(await namesOfKept(db, scope, kept))],
  }
}

interface Kept {
  id: number
  row: History
  /** Its previous value no longer exists. */
  isGone: boolean
}

/** Messages for what stays as it is. */
async function namesOfKept(db: Db, scope: ProjectScope, kept: readonly Kept[]): Promise<Plan['refused']> {
  if (kept.length === 0) return []
  const named = await readableRows(
    db,
    scope,
    kept.map(({ id, row }) => ({ id, history: [row] })),
  )
  return named.map(({ id, Changes: [change] }, index) => {
    const why = kept[index]?.isGone ? 'Its previous value no longer exists' : 'Changed since, and left as it is'
    return { id, reason: `${why}: ${change?.Field}` }
  })
}
