import { queryRows } from '../db/db.ts'
import { bool, timestamptz } from '../db/shape.ts'
import { OperatorError } from '../operator-error.ts'
import { whileLocked } from './backup-lock.ts'
import { type BackupContext, type BackupResult, runBackup } from './run-backup.ts'

const everyMinutes = 5
const hourMilliseconds = 3_600_000

interface Hooks {
  onDone: (result: BackupResult) => void
  onError: (error: unknown) => void
}

/** Makes a backup each night, or as soon as the server runs again after one was missed. One process of an installation does it. */
export function startNightlyBackups(context: BackupContext, { onDone, onError }: Hooks) {
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  const backUp = async () => {
    if (!(await isDue(context))) return
    const result = await runBackup(context, { signal: stopping.signal })
    onDone(result)
  }
  const look = (check: () => Promise<unknown>) => {
    looking ??= check()
      .then(() => {}, onError)
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  const lockAndBackUp = () => whileLocked(context.connection, backUp)
  const timer = setInterval(() => void look(async () => (await isDue(context)) && (await lockAndBackUp())), everyMinutes * 60_000)
  timer.unref()
  return {
    /** Resolves after the first check of this process, which removes what a killed proof left, also when no backup is due. */
    firstCheck: look(lockAndBackUp),
    /** Interrupts a running backup; resolves when it has ended. */
    async stop() {
      clearInterval(timer)
      stopping.abort(new OperatorError('The server stopped before the backup was complete.'))
      await looking
    },
  }
}

/** The most recent backup hour, in this machine's time zone. */
export function lastScheduled(now: Date, hour: number) {
  const at = new Date(now)
  at.setHours(hour, 0, 0, 0)
  if (at > now) at.setDate(at.getDate() - 1)
  return at
}

/** A new installation waits for its first night. In the same night, a backup is attempted again 1, 2, 4 and 8 hours after a failure, and once immediately after an interruption. */
async function isDue({ db, config }: BackupContext) {
  const [state] = await queryRows(db, { now: timestamptz, last: timestamptz })`
    select now(), coalesce(max(started_at), (select created_at from installation)) as last
    from backup_run where error is null and (proven_at is not null or warning is not null)`
  if (!state) return false
  const scheduled = lastScheduled(state.now, config.backup.hour)
  if (state.last >= scheduled) return false
  const attempts = await queryRows(db, { startedAt: timestamptz, interrupted: bool })`
    select started_at as "startedAt", finished_at is null as interrupted from backup_run
    where started_at >= ${scheduled} and (finished_at is null or error is not null) order by id desc`
  const [newest] = attempts
  if (!newest || (newest.interrupted && attempts.length === 1)) return true
  return newest.startedAt.getTime() + hourMilliseconds * 2 ** (attempts.length - 1) <= state.now.getTime()
}
