import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { acrossOrganizations } from '../../db/guard/across-organizations.ts'
import { nullable, timestamptz } from '../../db/shape.ts'
import { invitationHours } from '../../features/organizations/members/invitations.ts'
import { forgetFailures, type Job, removeFailedJobs } from '../../lib/background/job-queue.ts'

/**
 * Hourly: deletes expired rows; docs/operations.md lists what removes the rows of each table. Ended sessions are kept for a day, so that the log can
 * say why somebody was signed out.
 */
export const cleanUp: Job<'clean-up'> = async ({ db, config }) => {
  const all = acrossOrganizations('job')
  await sql`${all} update session set ended_at = now(), end_reason = 'absolute'
    where ended_at is null and created_at <= now() - make_interval(hours => ${config.session.maxHours})`.execute(db)
  await sql`${all} update session set ended_at = now(), end_reason = 'idle'
    where ended_at is null and last_seen_at <= now() - make_interval(mins => ${config.session.idleMinutes})`.execute(db)
  await sql`${all} delete from session where ended_at < now() - interval '1 day'`.execute(db)
  await removeIdempotencyKeys(db)
  await sql`${all} delete from bulk_preview where created_at < now() - interval '1 day'`.execute(db)
  await sql`${all} delete from invitation where invited_at < now() - make_interval(hours => ${invitationHours})`.execute(db)
  await sql`delete from reset_code where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from captcha_use where used_at < now() - interval '1 hour'`.execute(db)
  await sql`delete from known_device where last_used_at < now() - interval '1 year'`.execute(db)
  await sql`delete from throttle where window_started_at < now() - interval '1 day' and (blocked_until is null or blocked_until < now())`.execute(
    db,
  )
  await removeFailedJobs(db)
  await forgetFailures(db, 'clean-up')
}

/** An hour's keys at a time: thousands of people write so many that those of a day can take longer than a statement may. */
async function removeIdempotencyKeys(db: Db) {
  const all = acrossOrganizations('job')
  for (;;) {
    const [oldest] = await queryRows(db, { at: nullable(timestamptz) })`
      ${all} select min(created_at) as at from idempotency_key where created_at < now() - interval '1 day'`
    if (!oldest?.at) return
    await sql`${all} delete from idempotency_key
      where created_at < least(${oldest.at}::timestamptz + interval '1 hour', now() - interval '1 day')`.execute(db)
  }
}
