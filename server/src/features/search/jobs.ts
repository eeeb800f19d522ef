import { limits } from '@tessera/contract/limits'
import { forLongTransaction } from '../../db/connections/connect.ts'
import { type Db, run, statement } from '../../db/db.ts'
import { bool, int4, int8, nothing } from '../../db/shape.ts'
import { addJob, type Job, type JobPayloads } from '../../lib/background/job-queue.ts'
import { type Poller, startPolling } from '../../lib/background/polling.ts'
import { inTransaction } from '../../lib/transaction.ts'
import type { System } from '../../process/system.ts'

// PostgreSQL puts the words of a saved ticket into the GIN index's pending list and merges them into the index later, all at once. When the list
// reaches its limit, the next save has to do it, which takes a second or more with a million tickets. So it is done here, before the limit is
// reached.

const tryLock = statement(
  { acquired: bool, citus: bool },
  `select pg_try_advisory_xact_lock(hashtextextended('pending words', 0)) as acquired, to_regproc('run_command_on_workers') is not null as citus`,
)
const mergeSql = `
  select coalesce(sum(gin_clean_pending_list(i.oid)), 0)::int as pages
  from pg_class i join pg_am method on method.oid = i.relam
  where method.amname = 'gin' and i.relkind = 'i' and i.relnamespace = current_schema()::regnamespace`
const mergeHere = statement({ pages: int4 }, mergeSql)
const mergeOnWorkers = statement(
  { pages: int4 },
  `select coalesce(sum(result::int), 0)::int as pages from run_command_on_workers($$ ${mergeSql} $$) where success`,
)

/** Merges the pending lists of the search indexes; returns the number of pages merged, 0 when another process is doing it. */
export function mergePendingLists({ db }: System): Promise<number> {
  return inTransaction(forLongTransaction(db), async transaction => {
    const [lock] = await run(transaction, tryLock, [])
    if (!lock?.acquired) return 0
    const [here] = await run(transaction, mergeHere, [])
    const [workers] = lock.citus ? await run(transaction, mergeOnWorkers, []) : []
    return (here?.pages ?? 0) + (workers?.pages ?? 0)
  })
}

/** Merges them every two seconds, until stopped. */
export function startMergingPendingLists(system: System, report: (error: unknown) => void): Poller {
  const pause = 2000
  const merge = async () => {
    await mergePendingLists(system)
    return pause
  }
  return startPolling(merge, pause, report)
}

// Many at once: without an index on field and ticket, each of these statements reads all values of the field.
const ticketsWith = statement(
  { id: int8 },
  `select v.ticket_id as id from ticket_value v where v.organization_id = $1 and v.field_id = $2 and v.ticket_id > $3 order by v.ticket_id
  limit 10000`,
)
const readTextsAgain = statement({ done: nothing }, "select search_replace($1, $2::bigint[], 'B') as done")

/** Milliseconds: a job that runs for minutes counts as abandoned, and would begin again beside itself. */
const longestRun = 60_000

/** Reads the texts of all tickets with a value of this field again: a few at a time, because saves of these wait. */
export const indexField: Job<'index-field'> = ({ db }, payload) => indexFieldFor(db, payload, longestRun)

/** For so many milliseconds; another job goes on from there. */
export async function indexFieldFor(db: Db, { organizationId, fieldId, after = 0 }: JobPayloads['index-field'], milliseconds: number) {
  const end = performance.now() + milliseconds
  for (let done = after; ; ) {
    const ids = (await run(db, ticketsWith, [organizationId, fieldId, done])).map(({ id }) => id)
    if (ids.length === 0) return
    for (let start = 0; start < ids.length; start += limits.bulkStep) {
      const some = ids.slice(start, start + limits.bulkStep)
      await run(db, readTextsAgain, [organizationId, some])
      done = some.at(-1) ?? done
      if (performance.now() > end) return addJob(db, 'index-field', { organizationId, fieldId, after: done })
    }
  }
}
