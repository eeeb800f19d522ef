import * as contract from '@tessera/contract/people/password-reset'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { int8, text } from '../../db/shape.ts'
import { implementWith } from '../../http/implement.ts'
import { anyDevice, deviceDigest, deviceOf, digest } from '../../http/session-cookie.ts'
import { Failure } from '../../lib/failure.ts'
import { requireGoodPassword } from '../../lib/passwords/password-policy.ts'
import { hashPassword } from '../../lib/passwords/passwords.ts'
import { addressBuckets, bucket, clearFailures, countFailure, requireNotThrottled, unknownDevicesBuckets } from '../../lib/throttle.ts'
import { endSessionsOf } from '../session/sessions.ts'
import { queuePasswordChanged } from '../users/account-mails.ts'
import { passwordContext } from '../users/queries.ts'

/** One answer for a code that is unknown, used, expired or of another device. */
const refused = () => new Failure('rule', 'This reset code does not work')

async function ownerOf(db: Db, code: Buffer, device: Buffer) {
  const rows = await queryRows(db, { user_id: int8 })`
    select user_id from reset_code where code_hash = ${code} and device_hash in (${device}, ${anyDevice}) and used_at is null and expires_at > now()`
  return rows[0]?.user_id
}

export const resetPasswordActivate = implementWith(
  contract.resetPasswordActivate,
  {
    before: async ({ db, input, system, request }) => {
      const token = deviceOf(system.config, request)
      const buckets = [...addressBuckets(request.ip, 'activate'), ...(token === undefined ? [] : [bucket('activate', token, 10, 60)])]
      await requireNotThrottled(db, buckets)
      await system.captcha.verify(input.captcha, request.ip)
      const [code, device] = [digest(input.verifycode), deviceDigest(system.config, request)]
      const idUser = await ownerOf(db, code, device)
      if (idUser === undefined) {
        await countFailure(db, buckets)
        throw refused()
      }
      request.account = idUser
      requireGoodPassword(system.config, input.password, await passwordContext(db, idUser), 'password')
      return { code, device, passwordHash: await hashPassword(input.password) }
    },
  },
  async ({ db, system, request, reply, prepared: { code, device, passwordHash } }) => {
    const rows = await queryRows(db, { user_id: int8 })`
      update reset_code set used_at = now()
      where code_hash = ${code} and device_hash in (${device}, ${anyDevice}) and used_at is null and expires_at > now() returning user_id`
    const idUser = rows[0]?.user_id
    if (idUser === undefined) throw refused()
    const people = await queryRows(db, { folded: text })`
      update user_account set password_hash = ${passwordHash} where id = ${idUser} and not disabled returning lower(login) as folded`
    if (!people[0]) throw refused()
    await sql`update reset_code set used_at = now() where user_id = ${idUser} and used_at is null`.execute(db)
    await sql`delete from known_device where user_id = ${idUser}`.execute(db)
    // A person who can read the owner's mail is the owner: this browser is known from now on, and the failure counts start over.
    const known = digest(deviceOf(system.config, request, reply) as string)
    await sql`insert into known_device (user_id, device_hash) values (${idUser}, ${known})`.execute(db)
    await clearFailures(db, unknownDevicesBuckets(people[0].folded, request.ip))
    await endSessionsOf(db, idUser, 'password')
    await queuePasswordChanged(db, system, idUser)
    return { Success: 1 as const }
  },
)
