import * as contract from '@tessera/contract/users'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { recordChanges } from '../../lib/changes.ts'
import { Failure } from '../../lib/failure.ts'
import { addJob } from '../../lib/jobs.ts'
import { bucket, countFailure, requireNotThrottled } from '../../lib/throttle.ts'
import { setMembership } from './queries.ts'
import { requireReadableLogin } from './rules.ts'

export const createUser = implement(contract.createUser, async ({ db, scope, input, system }) => {
  requireReadableLogin(input.LoginName)
  // Logins are unique in the installation, so a refusal reveals that a name exists elsewhere: the number of attempts is limited.
  const taken = bucket('taken-login', scope.userId, 30, 60)
  await requireNotThrottled(db, [taken])
  const [fullName, givenName] = [input.Real?.trim() ?? '', input.Greet?.trim() ?? '']
  const rows = await queryRows(db, { id: int8 })`
    insert into user_account (login, email, full_name, given_name) values (${input.LoginName}, ${input.Email}, ${fullName}, ${givenName})
    on conflict (lower(login)) do nothing returning id`
  const idUser = rows[0]?.id
  if (idUser === undefined) {
    // Counted outside the transaction, so a rollback does not undo it.
    await countFailure(system.db, [taken])
    throw new Failure('duplicate', 'This login name is taken')
  }
  await sql`insert into organization_member (organization_id, user_id) values (${scope.organizationId}, ${idUser})`.execute(db)
  const memberships = await setMembership(db, scope, idUser, input.ProjectAssign)
  await recordChanges(db, scope, [
    { subject: 'user', subjectId: idUser, field: 'User', before: null, after: input.LoginName },
    ...memberships,
  ])
  if (input.SendWelcome === 1) {
    const { title } = await db.selectFrom('organization').select('title').where('id', '=', scope.organizationId).executeTakeFirstOrThrow()
    await addJob(db, 'welcome-mail', { userId: idUser, title })
  }
  return { Success: 1 as const, idUser }
})
