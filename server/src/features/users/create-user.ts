import * as contract from '@tessera/contract/people/users'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { addJob } from '../../lib/background/job-queue.ts'
import { recordChanges } from '../../lib/changes.ts'
import { countFailure, requireNotThrottled } from '../../lib/throttle.ts'
import { loginTaken, requireReadableLogin, takenLogins } from './login/login-name.ts'
import { requireProjects, setMembership } from './queries.ts'

export const createUser = implement(contract.createUser, async ({ db, scope, input, tellProjects }) => {
  await requireProjects(db, scope, input.ProjectAssign)
  requireReadableLogin(input.LoginName)
  const taken = takenLogins(scope.userId)
  await requireNotThrottled(db, [taken])
  const [fullName, givenName] = [input.Real ?? '', input.Greet ?? '']
  const rows = await queryRows(db, { id: int8 })`
    insert into user_account (login, email, full_name, given_name) values (${input.LoginName}, ${input.Email}, ${fullName}, ${givenName})
    on conflict (lower(login)) do nothing returning id`
  const idUser = rows[0]?.id
  if (idUser === undefined) {
    await countFailure(db, [taken])
    return loginTaken()
  }
  await sql`insert into organization_member (organization_id, user_id) values (${scope.organizationId}, ${idUser})`.execute(db)
  const memberships = await setMembership(db, scope, idUser, input.ProjectAssign)
  await recordChanges(db, scope, [
    { subject: 'user', subjectId: idUser, field: 'User', before: null, after: input.LoginName },
    ...memberships,
  ])
  tellProjects(memberships)
  if (input.SendWelcome === 1) {
    const { title } = await db.selectFrom('organization').select('title').where('id', '=', scope.organizationId).executeTakeFirstOrThrow()
    await addJob(db, 'welcome-mail', { userId: idUser, title })
  }
  return { Success: 1 as const, idUser }
})
