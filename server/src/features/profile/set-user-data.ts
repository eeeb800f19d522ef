import * as contract from '@tessera/contract/people/profile'
import { implement } from '../../http/implement.ts'
import { changesOf, recordChanges } from '../../lib/changes.ts'
import { Failure } from '../../lib/failure.ts'

export const setUserData = implement(contract.setUserData, async ({ db, scope, input }) => {
  const own = await db.selectFrom('user_account').selectAll().where('id', '=', scope.userId).forNoKeyUpdate().executeTakeFirstOrThrow()
  if (input.Email !== undefined && input.Email !== own.email) {
    throw new Failure('rule', 'The e-mail address can only be changed by an administrator')
  }
  const next = {
    full_name: input.FullName ?? own.full_name,
    given_name: input.GivenName ?? own.given_name,
    auto_receive_notifications: input.AutoReceiveNotifications ?? own.auto_receive_notifications,
  }
  const changes = changesOf(
    { subject: 'user', subjectId: scope.userId },
    {
      FullName: [own.full_name, next.full_name],
      GivenName: [own.given_name, next.given_name],
      AutoReceiveNotifications: [String(own.auto_receive_notifications), String(next.auto_receive_notifications)],
    },
  )
  if (changes.length > 0) await db.updateTable('user_account').set(next).where('id', '=', scope.userId).execute()
  await recordChanges(db, scope, changes)
  return { Success: 1 as const }
})
