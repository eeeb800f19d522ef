import * as contract from '@tessera/contract/people/profile'
import { implement } from '../../http/implement.ts'

export const getUserData = implement(contract.getUserData, ({ db, scope }) =>
  db
    .selectFrom('user_account')
    .select([
      'email as Email',
      'full_name as FullName',
      'given_name as GivenName',
      'auto_receive_notifications as AutoReceiveNotifications',
    ])
    .where('id', '=', scope.userId)
    .executeTakeFirstOrThrow(),
)
