import * as contract from '@tessera/contract/people/users'
import { sql } from 'kysely'
import { implement } from '../../http/implement.ts'
import { recordChanges } from '../../lib/changes.ts'
import { Failure } from '../../lib/failure.ts'
import { endSessionsOf } from '../session/sessions.ts'
import { requireMayChange } from './may-change.ts'
import { belongsElsewhere, findPerson, requireOthersWithRank } from './queries.ts'

export const setUserActive = implement(contract.setUserActive, async ({ db, scope, input }) => {
  const person = await findPerson(db, scope.organizationId, input.idUser, true)
  requireMayChange('identity', scope, person, person.id)
  const disabled = input.Active === 0
  if (disabled === person.disabled) return { Success: 1 as const }
  if (disabled && person.id === scope.userId) throw new Failure('rule', 'You cannot deactivate your own account')
  // The account is the same in all of their organizations.
  if (!scope.super && (await belongsElsewhere(db, scope.organizationId, person.id)))
    throw new Failure('rule', 'This person belongs to another organization too: remove them from this one, or ask a super user')
  if (disabled) await requireOthersWithRank(db, person)
  await sql`update user_account set disabled = ${disabled} where id = ${person.id}`.execute(db)
  if (disabled) await endSessionsOf(db, person.id, 'revoked')
  await recordChanges(db, scope, [
    { subject: 'user', subjectId: person.id, field: 'Active', before: disabled ? '1' : '0', after: disabled ? '0' : '1' },
  ])
  return { Success: 1 as const }
})
