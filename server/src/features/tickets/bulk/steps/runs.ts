import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { applyBulkChange } from '@tessera/contract/tickets/bulk'
import { sql } from 'kysely'
import { type Db, run, shortRead, statement } from '../../../../db/db.ts'
import { flag, int4, int8, jsonb, nullable } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { invalid, notFound } from '../../../../lib/failure.ts'
import { inTransaction } from '../../../../lib/transaction.ts'
import { withMutex } from '../../../../lib/turns.ts'
import type { BulkChange, Plan } from '../plan.ts'
import type { KeptTicket } from '../previewing/kept-tickets.ts'
import { titlesOf } from '../previewing/titles.ts'

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
  /** In the transaction of the last step; not after `endEarly`. */
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
    change_set_id as "changeSetId", total, done, changed, case when done + ${limits.bulkStep} >= total then skipped end as skipped, applied
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

/** A run of steps, named as the calls about it name it. */
interface Named {
  /** Of a bulk change. */
  idPreview?: number | undefined
  /** The change set that is being reverted. */
  idChangeSet?: number | undefined
}
const runShape = { id: int8, idChangeSet: nullable(int8), Total: int4, Done: int4, Changed: int4, Ended: flag }
const runText = `
  select id, change_set_id as "idChangeSet", total as "Total", done as "Done", changed as "Changed", (applied is not null)::int as "Ended" from bulk_preview
  where organization_id = $1 and project_id = $2 and user_id = $3 and ((id = $4 and reverts is null) or reverts = $5)
    and created_at > now() - interval '1 day' order by id desc limit 1`
const readRun = shortRead(runShape, runText)

/** The caller's latest run of this name; 404 if there is none. */
export async function findRun(db: Db, scope: ProjectScope, { idPreview, idChangeSet }: Named) {
  if ((idPreview === undefined) === (idChangeSet === undefined))
    throw invalid('idPreview', 'must be given if idChangeSet is not, and only then')
  const { organizationId, projectId, userId } = scope
  const [found] = await run(db, readRun, [organizationId, projectId, userId, idPreview ?? null, idChangeSet ?? null])
  if (!found) throw notFound()
  return found
}

/** Until the transaction ends, nobody writes a step of this run or ends it. Whoever asks first is first: a stop waits for one step, not for several. */
async function waitForTurn(db: Db, { organizationId }: ProjectScope, id: number) {
  await sql`select pg_advisory_xact_lock(hashtextextended('bulk ' || ${organizationId}::bigint, ${id}::bigint))`.execute(db)
}

const endRun = statement(
  {},
  `
  with finished as (
    update change_set_notice set finished = true, changed_at = now() where organization_id = $1 and change_set_id = any(array[$4::bigint])
  )
  update bulk_preview set applied = $5::jsonb where organization_id = $1 and project_id = $2 and id = $3`,
)
const readSkipped = statement(
  { skipped: jsonb<Answer['Skipped']>() },
  'select skipped from bulk_preview where organization_id = $1 and project_id = $2 and id = $3',
)
/** After the present step, ends the run with what is done: the call that does the steps finds this answer instead of its next step. */
export async function endEarly(db: Db, scope: ProjectScope, named: Named) {
  const { id } = await findRun(db, scope, named)
  await waitForTurn(db, scope, id)
  const now = await findRun(db, scope, named)
  if (now.id !== id || now.Ended === 1) return
  const place = [scope.organizationId, scope.projectId, id]
  const [kept] = await run(db, readSkipped, place)
  const { idChangeSet, Changed } = now
  const done: Answer = { Success: 1, idChangeSet, Changed, Skipped: kept?.skipped ?? [], Stopped: now.Total - now.Done }
  const answer = await withTitles(db, scope, done)
  await run(db, endRun, [...place, idChangeSet, JSON.stringify(answer)])
}

/** The answer with the titles of tickets that were skipped. */
async function withTitles(db: Db, scope: ProjectScope, answer: Answer): Promise<Answer> {
  if (answer.Skipped.length === 0) return answer
  const reasons = [...Map.groupBy(answer.Skipped, ({ Reason }) => Reason).values()]
  const Titles = await titlesOf(
    db,
    scope,
    [],
    reasons.map(rows => ({ Tickets: rows.map(({ id }) => id) })),
  )
  return { ...answer, Titles }
}

/** Average milliseconds per step, including its pause. */
const stepTime = (limits.bulkStep * 1000) / limits.bulkPerSecond

/** Does the remaining steps until the last one or until `endEarly`, and returns the answer, which is also stored. */
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

async function nextStep(db: Db, scope: ProjectScope, id: number, { step, finish }: Work) {
  const { organizationId, projectId } = scope
  await waitForTurn(db, scope, id)
  const [preview] = await run(db, lockPreview, [organizationId, projectId, id])
  if (!preview) throw notFound()
  if (preview.applied) return preview.applied
  const outcome = await step(db, preview)
  const done = preview.done + preview.tickets.length
  const changed = preview.changed + outcome.changed
  const skipped = outcome.skipped.map(row => ({ id: row.id, Reason: row.reason }))
  const idChangeSet = outcome.changeSetId ?? preview.changeSetId
  const Skipped = [...(preview.skipped ?? []), ...skipped]
  const answer = done < preview.total ? null : await withTitles(db, scope, { Success: 1, idChangeSet, Changed: changed, Skipped })
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
