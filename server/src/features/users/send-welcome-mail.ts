import * as contract from '@tessera/contract/people/users'
import { implement } from '../../http/implement.ts'
import { addJob } from '../../lib/background/job-queue.ts'
import { Failure } from '../../lib/failure.ts'
import { bucket, countFailure, requireNotThrottled } from '../../lib/throttle.ts'
import { findOrganization } from '../organizations/queries.ts'
import { requireMayChange } from './may-change.ts'
import { findPerson, type Person } from './queries.ts'

export const sendWelcomeMail = implement(contract.sendWelcomeMail, async ({ db, scope, input }) => {
  const person = await findPerson(db, scope.organizationId, input.idUser, true)
  requireMayChange('identity', scope, person, person.id)
  const reason = reasonAgainst(person)
  if (reason !== undefined) throw new Failure('rule', reason)
  const mails = [bucket('welcome-mail', person.id, 5, 60)]
  await requireNotThrottled(db, mails)
  await countFailure(db, mails)
  const { title } = await findOrganization(db, scope.organizationId)
  await addJob(db, 'welcome-mail', { userId: person.id, title })
  return { Success: 1 as const }
})

function reasonAgainst({ disabled, has_password, email, unconfirmed }: Person) {
  if (disabled) return 'This account is deactivated'
  if (has_password) return 'This person has already chosen a password: if they forgot it, the login page sends a new link'
  if (email === '') return 'This person has no e-mail address'
  if (unconfirmed) return 'The changed e-mail address is not confirmed yet: a link to confirm it was sent there'
  return undefined
}
