import type { FastifyBaseLogger } from 'fastify'
import { Logger, parseCronItems, run, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import { sessionsOf } from '../../db/connections/connect.ts'
import { type Db, queryRows } from '../../db/db.ts'
import { int4, text } from '../../db/shape.ts'
import type { Mail } from '../../mail/mail.ts'
import type { System } from '../../process/system.ts'

/** The payload of each kind of job. It is stored in the database, so it contains no secret and no code. */
export interface JobPayloads {
  'send-mail': { mail: Mail; attempt: number }
  /** A mail about a ticket; the recipient must still be allowed to see the ticket when it is sent. */
  'send-notification': {
    /** Only its id, because it is composed when it is sent. Older versions queued all of it. */
    mail: Pick<Mail, 'id'> | Mail
    attempt: number
    about: {
      organizationId: number
      projectId: number
      ticketId: number
      userId: number
      /** What the mail tells: a burst of changes, all of them to a watcher, and to others those of texts that mention them. */
      burst?: { firstChangeId: number; lastChangeId: number; isWatching: boolean; sources: string[] }
      /** Before mails were composed when they are sent: the same for a mail with comments, and whether a text mentions the person. */
      comments?: { firstChangeId: number; lastChangeId: number; isWatching: boolean; sources: string[] }
      mentioned?: true
    }
  }
  /** A mail about a change of many tickets: about those that the recipient may see and has not muted when it is sent. */
  'send-set-notification': {
    attempt: number
    /** `firstChangeId`: the first change that the mail tells of. A set that is changed again later is mailed again. */
    about: { organizationId: number; projectId: number; userId: number; changeSetId: number; firstChangeId: number }
    set: { pcode: string; author: string; what: string }
    followed: number[]
    /** Tickets of which a text names the person. */
    mentioned: number[]
    /** What was changed, for the first tickets. */
    rows: { ticket: number; label: string; changes: string }[]
  }
  /** Somebody asked for a reset link; `device` is the digest of their device, in hex, `network` where they asked from. */
  'request-reset': { name: string; device: string; network: string | null }
  /** `givenUpAt` in milliseconds by the database's clock: another node may send it. */
  'reset-mail': { userId: number; device: string; givenUpAt: number }
  /** A new person, who has no password yet; `title` is the organization's. */
  'welcome-mail': { userId: number; title: string }
  /** A field whose values the search reads as text from now on, or no longer; only tickets with an id above `after`. */
  'index-field': { organizationId: number; fieldId: number; after?: number }
  'clean-up': Record<string, never>
  /** Keys in the storage whose rows are gone. */
  'remove-files': { keys: string[] }
  'clean-up-files': Record<string, never>
  'scrub-files': Record<string, never>
}
type JobName = keyof JobPayloads
/** The log of a job. */
export type JobLog = Pick<FastifyBaseLogger, 'info' | 'error'>
export const quiet: JobLog = { info: () => undefined, error: () => undefined }
export type Job<Name extends JobName> = (system: System, payload: JobPayloads[Name], log: JobLog) => Promise<void>
export type Jobs = { [Name in JobName]: Job<Name> }

/** Jobs of a higher number wait for the others: thousands of notifications must not hold up a link that is given up after 15 minutes. */
const priorities: Partial<Record<JobName, number>> = { 'send-notification': 1, 'send-set-notification': 1 }
/** Of jobs that are added together, those after the first ones are later: a ticket with 2,000 watchers must not hold up another ticket's mail. */
const firstOfMany = 20

interface JobOptions {
  /** A waiting job with the same key is replaced; if one is running, it is not retried. */
  key?: string
  delaySeconds?: number
  /** Waits for jobs of the same kind that are not later. */
  isLater?: boolean
  /** 25 by default; the queue retries after seconds, then minutes, then hours. */
  attempts?: number
}

function priorityOf(name: JobName, isLater = false) {
  return (priorities[name] ?? 0) + (isLater ? 1 : 0)
}

/** Adds a job. In a transaction, the job exists if and only if that commits. */
export async function addJob<Name extends JobName>(
  db: Db,
  name: Name,
  payload: JobPayloads[Name],
  { key, delaySeconds = 0, attempts = 25, isLater }: JobOptions = {},
) {
  await sql`select graphile_worker.add_job(${name}::text, ${JSON.stringify(payload)}::json, run_at => now() + make_interval(secs => ${delaySeconds}::float8),
    job_key => ${key ?? null}::text, max_attempts => ${attempts}::int, priority => ${priorityOf(name, isLater)}::int)`.execute(db)
}

/** Jobs of more characters than this are added by several statements. */
const mostCharacters = 16_000_000

/** Adds jobs, each with its key, by as few statements as their size allows; of jobs with the same key the first one counts. */
export async function addJobs<Name extends JobName>(
  db: Db,
  name: Name,
  jobs: Iterable<readonly [key: string, payload: JobPayloads[Name]]>,
) {
  // The queue refuses a key that comes twice in one statement, and replaces a job whose key comes in a later one.
  const known = new Set<string>()
  let waiting: string[] = []
  let characters = 0
  let added = 0
  const add = async () => {
    const list = `[${waiting.join()}]`
    waiting = []
    characters = 0
    await sql`select count(*) from graphile_worker.add_jobs(array(
      select (${name}::text, job -> 'payload', null, null, null, job ->> 'key', (job ->> 'priority')::int, null)::graphile_worker.job_spec
      from json_array_elements(${list}::json) job))`.execute(db)
  }
  for (const [key, payload] of jobs) {
    if (known.has(key)) continue
    known.add(key)
    const text = JSON.stringify({ key, payload, priority: priorityOf(name, added++ >= firstOfMany) })
    waiting.push(text)
    characters += text.length
    if (characters > mostCharacters) await add()
  }
  if (waiting.length > 0) await add()
}

/** Whether so many notifications are due that further ones would only wait, those that are later not counted. Reads at most that many. */
export async function manyMailsAreDue(db: Db) {
  const rows = await queryRows(db, { due: int4 })`
    select count(*)::int as due from (
      select from graphile_worker._private_jobs where is_available and priority = ${priorityOf('send-notification')} and run_at <= now() limit 50) due`
  return rows[0]?.due === 50
}

/**
 * How long a job may be locked before its worker counts as dead. Only the checks of very many attachments take longer: they have one attempt, so
 * they are not begun again, but count as failed until they end.
 */
const leaseMinutes = 5

/** Runs jobs in this process until stopped. Any number of processes may do so: each job is locked by one. */
export async function runJobs(system: System, jobs: Jobs, report: (error: unknown) => void, log: JobLog) {
  const tasks = Object.entries(jobs).map(([name, job]) => [
    name,
    (payload: unknown) => (job as Job<JobName>)(system, payload as never, log),
  ])
  const errorsOnly = new Logger(() => (level, message) => {
    if (level === 'error') report(new Error(message))
  })
  const runner = await run({
    pgPool: sessionsOf(system.db),
    taskList: Object.fromEntries(tasks) as TaskList,
    parsedCronItems: parseCronItems([
      { task: 'clean-up', match: '7 * * * *', options: { backfillPeriod: 0 } },
      { task: 'clean-up-files', match: '37 * * * *', options: { backfillPeriod: 0, maxAttempts: 1 } },
      { task: 'scrub-files', match: '19 3 * * *', options: { backfillPeriod: 0, maxAttempts: 1 } },
    ]),
    concurrency: 3,
    pollInterval: 2000,
    noHandleSignals: true,
    noPreparedStatements: !system.config.databasePrepare && system.config.databaseDirectUrl === undefined,
    logger: errorsOnly,
  })
  runner.promise.catch(report)
  const lease = setInterval(() => void releaseAbandoned(system.db).catch(report), 60_000)
  lease.unref()
  await releaseAbandoned(system.db)
  return {
    async stop() {
      clearInterval(lease)
      await runner.stop().catch(() => undefined)
    },
  }
}

export type RunningJobs = Awaited<ReturnType<typeof runJobs>>

/** Releases jobs of killed processes; the queue itself waits four hours. */
export async function releaseAbandoned(db: Db) {
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where locked_at < now() - make_interval(mins => ${leaseMinutes})
    having count(*) > 0`.execute(db)
}

/** Deletes jobs that failed for good 30 days ago, with the mails that they contain. */
export async function removeFailedJobs(db: Db) {
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '30 days'
    having count(*) > 0`.execute(db)
}

/** Deletes the jobs of this kind that failed for good: one that checks the same again has succeeded. */
export async function forgetFailures(db: Db, name: JobName) {
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where task_identifier = ${name} and attempts >= max_attempts and locked_at is null
    having count(*) > 0`.execute(db)
}

/** The numbers of waiting jobs and of those that failed for good. */
export async function jobCounts(db: Db) {
  return queryRows(db, { name: text, waiting: int4, failed: int4 })`
    select task_identifier as name, (count(*) filter (where attempts < max_attempts))::int as waiting,
      (count(*) filter (where attempts >= max_attempts and locked_at is null))::int as failed
    from graphile_worker.jobs group by task_identifier order by task_identifier`
}
