import * as contract from '@tessera/contract/people/organizations'
import { queryRows } from '../../db/db.ts'
import { bool, int8, nullable, text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'

const newestRow = {
  finished: nullable(int8),
  proven: nullable(int8),
  recent: bool,
  error: nullable(text),
  warning: nullable(text),
  location: text,
}

export const getBackupStatus = implement(contract.getBackupStatus, async ({ db }) => {
  const rows = await queryRows(db, newestRow)`
    select floor(extract(epoch from finished_at))::bigint as finished, location, error, warning,
      floor(extract(epoch from (select max(proven_at) from backup_run)))::bigint as proven,
      coalesce(proven_at > now() - interval '26 hours', false) as recent
    from backup_run where finished_at is not null or error is not null order by started_at desc, id desc limit 1`
  const [newest] = rows
  if (!newest) return { State: 'none' as const, LastBackup: null, LastProven: null, Message: 'No backup was made yet' }
  const done = await queryRows(db, { at: nullable(int8) })`
    select floor(extract(epoch from max(finished_at)))::bigint as at from backup_run where error is null or proven_at is not null`
  const times = { LastBackup: done[0]?.at ?? null, LastProven: newest.proven }
  if (newest.error !== null) return { ...times, State: 'failed' as const, Message: newest.error }
  if (newest.warning !== null)
    return { ...times, State: newest.recent ? ('incomplete' as const) : ('unproven' as const), Message: newest.warning }
  if (newest.recent) return { ...times, State: 'proven' as const, Message: `Restored and compared: ${newest.location}` }
  return { ...times, State: 'unproven' as const, Message: 'No restore of the newest backup was proven in the last 26 hours' }
})
