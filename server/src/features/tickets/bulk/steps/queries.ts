import { setTimeout as sleep } from 'node:timers/promises'
import type { applyBulkChange } from '@tessera/contract/bulk'
import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { type Db, run, statement } from '../../../../db/db.ts'
import { int4, int8, jsonb, nullable } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { notFound } from '../../../../lib/failure.ts'
import { withMutex } from '../../../../lib/mutex.ts'
import { inTransaction } from '../../../../lib/transaction.ts'
import type { KeptTicket } from '../previewing/queries.ts'
import type { BulkChange, Plan } from '../rules.ts'

// A change of many tickets is written step by step, each step a transaction: others wait only for some of the tickets, and an interrupted change
// continues after the last committed step. It pauses between steps, so that other people's saves find a free processor.

export type Answer = Response<typeof applyBulkChange>

/** The tickets of one step. */
export interface Step {
  change: BulkChange
  tickets: KeptTicket[]
  also: number[]
  /** The change set of the previous steps; null when they wrote nothing. */
  changeSetId: number | null
}
/** The result of a step. */
interface Outcome {
  changeSetId: number | null
  changed: number
  skipped: Plan['refused']
}

interface Work {
  step: (db: Db, step: Step) => Promise<Outcome>
  /** In the transaction of the last step. */
  finish?: (db: Db, answer: Answer) => Promise<void>
}

const lockPreview = statement(
  {
    change: jsonb<BulkChange>(),
    tickets: jsonb<KeptTicket[]>(),
    also: jsonb<number[]>(),
    changeSetId: nullable(int8),
    total: int4,
    done: int4,
    changed: int4,
    /** Null before the last step. */
    skipped: nullable(jsonb<Answer['Skipped']>()),
    applied: nullable(jsonb<Answer>()),
  },
  `
  select change, jsonb_path_query_array(tickets, '$[$a to $b]', jsonb_build_object('a', done, 'b', done + ${limits.bulkStep - 1})) as tickets, also,
    change_set_id as "changeSetId", jsonb_array_length(tickets) as total, done, changed,
    case when done + ${limits.bulkStep} >= jsonb_array_length(tickets) then skipped end as skipped, applied
  from bulk_preview
  where organization_id = $1 and project_id = $2 and id = $3 and created_at > now() - interval '1 day' for update`,
)
const saveProgress = statement(
  {},
  // Skipped tickets are appended: reading and writing the whole list in every step is slow when thousands are refused.
  // The condition is a subquery: Citus skips the whole statement when it finds one part of it false while planning.
  `
  with finished as (
    update change_set_notice set finished = true, changed_at = now()
    where organization_id = $1 and change_set_id = any(array[$4::bigint]) and (select $8::jsonb is not null)
  )
  update bulk_preview set change_set_id = $4, done = $5, changed = $6,
    skipped = case when $7::jsonb = '[]' then skipped else skipped || $7::jsonb end, applied = $8::jsonb
  where organization_id = $1 and project_id = $2 and id = $3`,
)

/** Average milliseconds per step, including its pause. */
const stepTime = (limits.bulkStep * 1000) / limits.bulkPerSecond

/** Does all remaining steps and returns the answer, which it also stores. */
export async function doSteps(db: Db, scope: ProjectScope, id: number, work: Work): Promise<Answer> {
  const began = performance.now()
  for (let steps = 1; ; steps++) {
    const answer = await withMutex(`bulk ${scope.organizationId} ${scope.projectId}`, () =>
      inTransaction(db, transaction => nextStep(transaction, scope, id, work)),
    )
    if (answer) return answer
    // Pauses without holding the mutex, a connection or a lock. After a slow step the next pauses are shorter.
    await sleep(Math.max(0, began + steps * stepTime - performance.now()))
  }
}

async function nextStep(db: Db, { organizationId, projectId }: ProjectScope, id: number, { step, finish }: Work) {
  const [preview] = await run(db, lockPreview, [organizationId, projectId, id])
  if (!preview) throw notFound()
  if (preview.applied) return preview.applied
  const outcome = await step(db, preview)
  const done = preview.done + preview.tickets.length
  const changed = preview.changed + outcome.changed
  const skipped = outcome.skipped.map(row => ({ id: row.id, Reason: row.reason }))
  const idChangeSet = outcome.changeSetId ?? preview.changeSetId
  const answer: Answer | null =
    done < preview.total ? null : { Success: 1, idChangeSet, Changed: changed, Skipped: [...(preview.skipped ?? []), ...skipped] }
  await run(db, saveProgress, [
    organizationId,
    projectId,
    id,
    idChangeSet,
    done,
    changed,
    JSON.stringify(skipped),
    answer && JSON.stringify(answer),
  ])
  if (answer) await finish?.(db, answer)
  return answer
}
