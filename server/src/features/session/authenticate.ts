import * as contract from '@tessera/contract/people/session'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Db, queryRows, run, statement } from '../../db/db.ts'
import { acrossOrganizations } from '../../db/guard/across-organizations.ts'
import { bool, int8, nullable, text } from '../../db/shape.ts'
import { implementWith } from '../../http/implement.ts'
import { deviceDigest, deviceOf, digest } from '../../http/session-cookie.ts'
import { verifyPassword } from '../../lib/passwords/passwords.ts'
import {
  addressBuckets,
  clearFailures,
  countFailure,
  knownDeviceBucket,
  requireNotThrottled,
  unknownDevicesBuckets,
} from '../../lib/throttle.ts'
import { openSession, signedInAnswer } from './sessions.ts'

// `folded` is the login as the database folds it, also of a name that does not exist.
const accountStatement = statement(
  { folded: text, id: nullable(int8), password_hash: nullable(text), disabled: nullable(bool), known: bool },
  `
  select lower($1::text) as folded, a.id, a.password_hash, a.disabled,
    exists (select 1 from known_device k where k.user_id = a.id and k.device_hash = $2::bytea) as known
  from (select 1) asked left join user_account a on lower(a.login) = lower($1::text)`,
)

/** The account with this password; undefined after a failure, which is counted. Steps and cost are the same for an unknown name. */
async function provePassword(db: Db, request: FastifyRequest, login: string, password: string, device: Buffer) {
  const [account] = await run(db, accountStatement, [login, device])
  if (!account) throw new Error('the account statement always gives a row')
  if (account.id !== null) request.account = account.id
  const buckets = account.known
    ? [knownDeviceBucket(account.folded, device.toString('hex'))]
    : [...unknownDevicesBuckets(account.folded, request.ip), ...addressBuckets(request.ip)]
  await requireNotThrottled(db, buckets)
  const matches = await verifyPassword(account.disabled ? null : account.password_hash, password, !account.known)
  if (!matches || account.id === null) {
    await countFailure(db, buckets)
    return undefined
  }
  // Parallel attempts may have exhausted a bucket while this one was hashing.
  await requireNotThrottled(db, buckets)
  await clearFailures(
    db,
    buckets.filter(({ name }) => !name.startsWith('address:')),
  )
  return { id: account.id, passwordHash: account.password_hash }
}

export const authenticate = implementWith(
  contract.authenticate,
  {
    before: ({ db, input, system, request }) =>
      provePassword(db, request, input.user.trim(), input.pass, deviceDigest(system.config, request)),
  },
  async ({ db, input, system, request, reply, prepared: proved }) => {
    request.signIn = 'refused'
    if (!proved) return { auth: 0 as const }
    // Locked, so that a concurrent password change is seen and the limit on sessions holds for parallel sign-ins.
    const rows = await queryRows(db, { super: bool })`
      select super from user_account where id = ${proved.id} and password_hash = ${proved.passwordHash} and not disabled for no key update`
    const [account] = rows
    if (!account) return { auth: 0 as const }

    const choices = await queryRows(db, { id: int8, name: text })`${acrossOrganizations('sign-in')}
      select o.id, o.title as name from organization o
      ${account.super ? sql`` : sql`join organization_member m on m.organization_id = o.id where m.user_id = ${proved.id}`}
      order by lower(unaccent(o.title)), o.id`
    const chosen = input.orgid === undefined && choices.length === 1 ? choices[0] : choices.find(({ id }) => id === input.orgid)
    if (!chosen) {
      if (input.orgid !== undefined || choices.length < 2) return { auth: 0 as const }
      request.signIn = 'choice'
      return { auth: 0 as const, orglist: choices }
    }

    const device = deviceOf(system.config, request, reply) as string
    await sql`
      insert into known_device (user_id, device_hash, last_used_at) values (${proved.id}, ${digest(device)}, now())
      on conflict (user_id, device_hash) do update set last_used_at = excluded.last_used_at`.execute(db)
    await openSession(db, { system, request, reply }, chosen.id, proved.id)
    request.signIn = 'accepted'
    return signedInAnswer(db, chosen.id, proved.id)
  },
)
