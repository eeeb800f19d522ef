import * as contract from '@tessera/contract/bulk'
import type { Response } from '@tessera/contract/call'
import { type Db, run, statement } from '../../../db/db.ts'
import { jsonb, nullable } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { type ProjectScope, requireOpen } from '../../../lib/authorize.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { carryOut, holdTickets, type KeptTicket, planFor, readTickets, withRightsNow } from './queries.ts'
import { type BulkChange, type BulkStored, type Plan, requireBulkRights } from './rules.ts'

type Answer = Response<typeof contract.applyBulkChange>

const holdPreview = statement(
  { change: jsonb<BulkChange>(), tickets: jsonb<KeptTicket[]>(), applied: nullable(jsonb<Answer>()) },
  `
  select change, tickets, applied from bulk_preview
  where organization_id = $1 and project_id = $2 and id = $3 and created_at > now() - interval '1 day' for update`,
)
const noteAnswer = statement({}, 'update bulk_preview set applied = $3::jsonb where organization_id = $1 and id = $2')

export const applyBulkChange = implement(contract.applyBulkChange, async ({ db, scope: early, input: { idPreview } }) => {
  const [preview] = await run(db, holdPreview, [early.organizationId, early.projectId, idPreview])
  if (!preview) throw notFound()
  const { change, tickets, applied } = preview
  requireBulkRights(early, change)
  if (applied) return applied
  requireOpen(early)
  const ids = tickets.map(({ id }) => id)
  await holdTickets(db, early, ids, change.State === undefined ? [] : [change.State])
  const scope = await withRightsNow(db, early)
  requireBulkRights(scope, change)
  requireOpen(scope)

  const stored = new Map((await readTickets(db, scope, ids, change)).map(ticket => [ticket.id, ticket]))
  const skipped: Plan['refused'] = []
  const unchanged: BulkStored[] = []
  for (const kept of tickets) {
    const now = stored.get(kept.id)
    if (!now) skipped.push({ id: kept.id, reason: 'This ticket is gone' })
    else if (now.in_trash) skipped.push({ id: kept.id, reason: 'This ticket is in the trash and takes no changes' })
    else if (now.version !== kept.version || now.state_id !== kept.state || now.parent_id !== kept.parent)
      skipped.push({ id: kept.id, reason: 'It was changed since the preview' })
    else unchanged.push(now)
  }
  const plan = await planOrNone(db, scope, unchanged, change)
  skipped.push(...plan.refused)
  const planned = plan.planned.filter(({ history }) => history.length > 0)
  const answer: Answer = {
    Success: 1,
    idChangeSet: await carryOut(db, scope, planned, 'bulk'),
    Changed: planned.length,
    Skipped: skipped.map(({ id, reason }) => ({ id, Reason: reason })),
  }
  await run(db, noteAnswer, [scope.organizationId, idPreview, JSON.stringify(answer)])
  return answer
})

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
    return { planned: [], refused: tickets.map(({ id }) => ({ id, reason: 'Something that the change names is gone' })) }
  }
}
