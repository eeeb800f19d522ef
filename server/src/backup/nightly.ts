import { sql } from 'kysely'
import { queryRows } from '../db/db.ts'
import { bool, timestamptz } from '../db/shape.ts'
import { type BackupContext, type BackupResult, runBackup } from './run-backup.ts'
import { openClient } from './tables.ts'

/** An arbitrary key for the advisory lock, unique in this database. */
const lock = 7_337_004
const everyMinutes = 5

interface Hooks {
  onDone: (result: BackupResult) => void
  onError: (error: unknown) => void
}

/** Makes a backup each night, or as soon as the server runs again after one was missed. One process of an installation does it. */
export function startNightlyBackups(context: BackupContext, { onDone, onError }: Hooks) {
  let isRunning = false
  const look = async () => {
    if (isRunning) return
    isRunning = true
    try {
      await backUpIfDue(context, onDone)
    } catch (error) {
      onError(error)
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(() => void look(), everyMinutes * 60_000)
  timer.unref()
  return {
    /** The first check of this process. */
    looked: look(),
    stop() {
      clearInterval(timer)
    },
  }
}

async function backUpIfDue(context: BackupContext, onDone: Hooks['onDone']) {
  if (!(await isDue(context))) return
  const client = await openClient(context.connection)
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lock])
    if (!rows[0]?.mine) return
    await closeInterrupted(context)
    if (await isDue(context)) onDone(await runBackup(context))
  } finally {
    await client.end()
  }
}

/** Runs whose process has died, since nobody holds the lock. */
async function closeInterrupted({ db }: BackupContext) {
  await sql`update backup_run set finished_at = now(), error = 'The server stopped before the backup was whole' where finished_at is null
    and started_at < now() - interval '1 minute'`.execute(db)
}

/** The most recent backup hour, in this machine's time zone. */
export function lastScheduled(now: Date, hour: number) {
  const at = new Date(now)
  at.setHours(hour, 0, 0, 0)
  if (at > now) at.setDate(at.getDate() - 1)
  return at
}

/** A new installation waits for its first night; a failed backup is retried after an hour. */
async function isDue({ db, config }: BackupContext) {
  const rows = await queryRows(db, { now: timestamptz, last: timestamptz, failed: bool })`
    select now(), coalesce(max(started_at), (select created_at from installation)) as last,
      coalesce((select error is not null and started_at < now() - interval '1 hour' from backup_run order by id desc limit 1), false) as failed
    from backup_run`
  const [state] = rows
  if (!state) return false
  return state.failed || state.last < lastScheduled(state.now, config.backup.hour)
}
