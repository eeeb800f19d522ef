import { ticketTrashed } from '@tessera/contract/refusals'
import * as contract from '@tessera/contract/tickets/bulk'
import { type Db, run, statement } from '../../../db/db.ts'
import { bool, int8, jsonb, nullable } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import { type ProjectScope, requireOpen, requireStillOpen } from '../../../lib/authorize.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { onTree } from '../trash/queries.ts'
import { type BulkChange, type BulkStored, gone, type Plan, requireBulkRights } from './plan.ts'
import { lockTickets, planFor, readTickets } from './queries.ts'
import { type Answer, doSteps, type Step } from './steps/runs.ts'
import { applyPlan } from './writing/apply-plan.ts'

const readPreview = statement(
  { change: jsonb<BulkChange>(), applied: nullable(jsonb<Answer>()) },
  `
  select change, applied from bulk_preview
  where organization_id = $1 and project_id = $2 and id = $3 and reverts is null and created_at > now() - interval '1 day'`,
)
const isTakenBack = statement(
  { back: bool },
  'select exists (select 1 from bulk_preview where organization_id = $1 and project_id = $2 and reverts = $3) as back',
)
// Trashed with an ancestor, by an earlier step.
const trashedBy = statement(
  { id: int8 },
  `select ticket_id as id from change
  where organization_id = $1 and project_id = $2 and change_set_id = $3 and field = 'Trash' and ticket_id = any($4)`,
)

export const applyBulkChange = implementWith(
  contract.applyBulkChange,
  { opensNoTransaction: true, inSteps: true },
  async ({ db, scope, input: { idPreview } }) => {
    const [preview] = await run(db, readPreview, [scope.organizationId, scope.projectId, idPreview])
    if (!preview) throw notFound()
    requireBulkRights(scope, preview.change)
    if (preview.applied) return preview.applied
    requireOpen(scope)
    const step = (transaction: Db, next: Step) => {
      const apply = () => applyStep(transaction, scope, next)
      return preview.change.Trash
        ? onTree(transaction, apply, 'Move some of them out of their trees first, or try again at a quieter time.')
        : apply()
    }
    return await doSteps(db, scope, idPreview, { step })
  },
)

async function applyStep(db: Db, early: ProjectScope, { change, tickets, changeSetId }: Step) {
  const ids = tickets.map(({ id }) => id)
  await lockTickets(db, early, ids, change)
  const scope = await requireStillOpen(db, early)
  requireBulkRights(scope, change)
  const place = [scope.organizationId, scope.projectId, changeSetId]
  if (changeSetId !== null && (await run(db, isTakenBack, place))[0]?.back)
    return { changeSetId, changed: 0, skipped: ids.map(id => ({ id, reason: 'The change was reverted before it was complete' })) }

  const stored = new Map((await readTickets(db, scope, ids, change)).map(ticket => [ticket.id, ticket]))
  const isGone = (id: number) => stored.get(id)?.in_trash === true
  const already =
    change.Trash && changeSetId !== null && ids.some(isGone)
      ? new Set((await run(db, trashedBy, [...place, ids.filter(isGone)])).map(({ id }) => id))
      : new Set<number>()
  const skipped: Plan['refused'] = []
  const unchanged: BulkStored[] = []
  for (const kept of tickets) {
    const now = stored.get(kept.id)
    if (!now) skipped.push({ id: kept.id, reason: gone })
    else if (already.has(now.id)) continue
    else if (now.in_trash) skipped.push({ id: kept.id, reason: ticketTrashed })
    else if (now.version !== kept.version || now.parent_id !== kept.parent)
      skipped.push({ id: kept.id, reason: 'It was changed since the preview' })
    else unchanged.push(now)
  }
  const plan = await planOrNone(db, scope, unchanged, change)
  skipped.push(...plan.refused)
  const planned = plan.planned.filter(({ history }) => history.length > 0)
  const written = await applyPlan(db, scope, planned, { what: 'bulk', id: changeSetId })
  return { changeSetId: written, changed: planned.length + already.size, skipped }
}

/** Refuses all tickets when a state, label, person or parent of the change is gone. */
async function planOrNone(db: Db, scope: ProjectScope, tickets: readonly BulkStored[], change: BulkChange): Promise<Plan> {
  try {
    return await planFor(
      db,
      scope,
      tickets.map(stored => ({ stored, wanted: change })),
    )
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error
    return { planned: [], refused: tickets.map(({ id }) => ({ id, reason: 'Something that the change refers to was deleted' })) }
  }
}
