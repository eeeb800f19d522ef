import * as contract from '@tessera/contract/people/profile'
import { implementWith } from '../../http/implement.ts'
import { credentialsOf, deviceDigest } from '../../http/session-cookie.ts'
import { authorizeSession } from '../../lib/authorize.ts'
import { recordChanges } from '../../lib/changes.ts'
import { requireGoodPassword } from '../../lib/passwords/password-policy.ts'
import { hashPassword, verifyPassword } from '../../lib/passwords/passwords.ts'
import { bucket, clearFailures, countFailure, requireNotThrottled } from '../../lib/throttle.ts'
import { endSessionsOf, openSession } from '../session/sessions.ts'
import { queuePasswordChanged } from '../users/account-mails.ts'
import { passwordContext } from '../users/queries.ts'

export const changePassword = implementWith(
  contract.changePassword,
  {
    before: async ({ db, input, system, request }) => {
      const { userId } = await authorizeSession(db, credentialsOf(system.config, request), system.config.session)
      const tries = bucket('change-password', userId, 10, 15)
      await requireNotThrottled(db, [tries])
      const { password_hash: old } = await db
        .selectFrom('user_account')
        .select('password_hash')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      if (!(await verifyPassword(old, input.pass))) {
        await countFailure(db, [tries])
        return undefined
      }
      await requireNotThrottled(db, [tries])
      await clearFailures(db, [tries])
      requireGoodPassword(system.config, input.newpass, await passwordContext(db, userId))
      return { old, next: await hashPassword(input.newpass) }
    },
  },
  async ({ db, scope, system, request, reply, prepared: hashes }) => {
    if (!hashes) return { Success: 0 as const }
    const changed = await db
      .updateTable('user_account')
      .set({ password_hash: hashes.next })
      .where('id', '=', scope.userId)
      .where('password_hash', '=', hashes.old)
      .where('disabled', '=', false)
      .executeTakeFirst()
    // Changed in another tab, or the account was deactivated meanwhile.
    if (changed.numUpdatedRows === 0n) return { Success: 0 as const }
    await db.deleteFrom('reset_code').where('user_id', '=', scope.userId).execute()
    await db
      .deleteFrom('known_device')
      .where('user_id', '=', scope.userId)
      .where('device_hash', '<>', deviceDigest(system.config, request))
      .execute()
    await endSessionsOf(db, scope.userId, 'password', scope.sessionId)
    await openSession(db, { system, request, reply }, scope.organizationId, scope.userId)
    await recordChanges(db, scope, [{ subject: 'user', subjectId: scope.userId, field: 'Password', before: null, after: null }])
    await queuePasswordChanged(db, system, scope.userId)
    return { Success: 1 as const }
  },
)
