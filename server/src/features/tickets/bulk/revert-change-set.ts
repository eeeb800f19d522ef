import * as contract from '@tessera/contract/bulk'
import { limits } from '@tessera/contract/limits'
import { type Db, run, statement } from '../../../db/db.ts'
import { bool, int8, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { type ProjectScope, requireOpen } from '../../../lib/authorize.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { linesAbove } from '../moving/queries.ts'
import { holdGroups, restoreAll } from '../trash/queries.ts'
import { carryOut, holdTickets, planFor, readableRows, readTickets, withRightsNow } from './queries.ts'
import { type BulkChange, byReason, type History, requireBulkRights, reversed, sinceThen, together } from './rules.ts'

const holdSet = statement(
  { what: text, reverted: bool, old: bool },
  `
  select what, reverted_by is not null as reverted, made_at < now() - interval '${limits.revertDays} days' as old
  from change_set_summary where organization_id = $1 and project_id = $2 and id = $3 for update`,
)
const changesOf = statement(
  { ticket: int8, field: text, before: nullable(text), after: nullable(text) },
  `
  select ticket_id as ticket, field, before, after from change
  where organization_id = $1 and project_id = $2 and change_set_id = $3 and subject = 'ticket' order by id`,
)
const allStates = statement({ id: int8 }, 'select id from state where organization_id = $1 and project_id = $2 for key share')
// What the set itself had taken back stands again.
const noteRevert = statement(
  {},
  `
  update change_set_summary set reverted_by = case when id = $3 then $4::bigint end
  where organization_id = $1 and project_id = $2 and (id = $3 or reverted_by = $3)`,
)

export const revertChangeSet = implement(
  contract.revertChangeSet,
  async ({ db, scope: early, input: { idChangeSet, Preview, Cursor } }) => {
    const place = [early.organizationId, early.projectId, idChangeSet]
    const [set] = await run(db, holdSet, place)
    if (!set) throw notFound()
    const rows = Map.groupBy(await run(db, changesOf, place), ({ ticket }) => ticket)
    const wholly = [...rows.values()].map(reversed)
    const needed = neededBy(rows, wholly)
    requireBulkRights(early, needed)
    requireOpen(early)
    if (set.what !== 'bulk' && set.what !== 'revert') throw new Failure('rule', 'Only bulk changes can be taken back')
    if (set.reverted) throw new Failure('rule', 'This change has been taken back already')
    if (set.old) throw new Failure('rule', `A bulk change can be taken back for ${limits.revertDays} days`)

    await holdTickets(db, early, [...rows.keys()], [])
    const scope = await withRightsNow(db, early)
    requireBulkRights(scope, needed)
    requireOpen(scope)
    const { plan, kept, groups } = await planBack(db, scope, rows, wholly)
    const planned = plan.planned.filter(({ history }) => history.length > 0)
    const restored = groups.map(({ id, trashRootId }) => ({ id, history: [{ field: 'Trash', before: String(trashRootId), after: null }] }))
    const Changed = planned.length + restored.length
    const refused = [...plan.refused, ...(await namesOfKept(db, scope, kept))]
    if (Preview) {
      const changing = [...planned.map(({ stored, history }) => ({ id: stored.id, history })), ...restored]
      const from = Number(Cursor ?? 0)
      const to = from + limits.previewRows
      const touched = new Set([...changing, ...refused].map(({ id }) => id))
      return {
        Total: rows.size,
        Changed,
        Same: [...rows.keys()].filter(id => !touched.has(id)).length,
        Refused: byReason(refused),
        Rows: await readableRows(db, scope, changing.slice(from, to)),
        NextCursor: to < changing.length ? String(to) : null,
      }
    }
    const id = await carryOut(db, scope, planned, 'revert', groups.length > 0 ? await restoreAll(db, scope, groups) : [])
    if (id !== null) await run(db, noteRevert, [...place, id])
    return {
      Success: 1 as const,
      idChangeSet: id,
      Changed,
      Skipped: refused.map(({ id: ticket, reason }) => ({ id: ticket, Reason: reason })),
    }
  },
)

type Rows = ReadonlyMap<number, readonly History[]>

/** A change that needs the same permissions. */
function neededBy(rows: Rows, wholly: readonly BulkChange[]): BulkChange {
  const isTrash = [...rows.values()].flat().some(({ field }) => field === 'Trash')
  return { ...(isTrash ? { Trash: 1 as const } : {}), ...Object.assign({}, ...wholly.map(({ Trash: _, ...change }) => change)) }
}

async function planBack(db: Db, scope: ProjectScope, rows: Rows, wholly: readonly BulkChange[]) {
  const { organizationId, projectId } = scope
  const tickets = await readTickets(db, scope, [...rows.keys()], together(wholly))
  const states = new Set((await run(db, allStates, [organizationId, projectId])).map(({ id }) => id))
  const parents = wholly.flatMap(({ idParent }) => idParent ?? [])
  const found = new Set(parents.length > 0 ? (await linesAbove(db, scope, parents)).map(({ id }) => id) : [])
  const roots = [...rows.values()].flat().flatMap(({ field, after }) => (field === 'Trash' && after !== null ? [Number(after)] : []))
  const groups = roots.length > 0 ? await holdGroups(db, scope, [...new Set(roots)]) : []

  const kept: { id: number; row: History }[] = []
  const wanted = []
  for (const stored of tickets) {
    const changed = (rows.get(stored.id) ?? []).filter(({ field, after }) => !(field === 'Trash' && after !== null))
    const then = sinceThen(stored, changed, { states, parents: found })
    kept.push(...then.kept.map(row => ({ id: stored.id, row })))
    // A step back needs no way in the workflow; the state exists.
    if (then.back.length > 0) wanted.push({ stored: { ...stored, reachable: true }, wanted: reversed(then.back) })
  }
  return { plan: await planFor(db, scope, wanted), kept, groups }
}

/** Why the rest stays as it is, in words. */
async function namesOfKept(db: Db, scope: ProjectScope, kept: readonly { id: number; row: History }[]) {
  const named = await readableRows(
    db,
    scope,
    kept.map(({ id, row }) => ({ id, history: [row] })),
  )
  return named.map(({ id, Changes: [change] }) => ({ id, reason: `Changed since, and left as it is: ${change?.Field}` }))
}
