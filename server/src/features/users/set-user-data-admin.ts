import type { Request } from '@tessera/contract/call'
import * as contract from '@tessera/contract/people/users'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { implement } from '../../http/implement.ts'
import type { SessionScope } from '../../lib/authorize.ts'
import { type Change, changesOf, recordChanges } from '../../lib/changes.ts'
import { Failure } from '../../lib/failure.ts'
import { countFailure, requireNotThrottled } from '../../lib/throttle.ts'
import { queueEmailChanged, queueEmailConfirmation } from './account-mails.ts'
import { loginTaken, requireReadableLogin, takenLogins } from './login/login-name.ts'
import { requireMayChange } from './may-change.ts'
import { belongsElsewhere, findPerson, isLoginTaken, membershipOf, requireProjects, setMembership, withdrawInvitations } from './queries.ts'

type Input = Request<typeof contract.setUserDataAdmin>

export const setUserDataAdmin = implement(contract.setUserDataAdmin, async ({ db, scope, input, system, tellProjects }) => {
  const person = await findPerson(db, scope.organizationId, input.idUser, true)
  await requireProjects(db, scope, input.ProjectMembership ?? [])
  requireMayChange('names', scope, person, person.id)
  const next = {
    login: input.LoginName ?? person.login,
    full_name: input.RealName ?? person.full_name,
    given_name: input.GreetingName ?? person.given_name,
    email: input.Email ?? person.email,
  }
  const isRenamed = next.login !== person.login
  const isIdentity = isRenamed || next.email !== person.email
  if (isIdentity) requireMayChange('identity', scope, person, person.id)
  if (isRenamed) requireReadableLogin(next.login)
  const changes = changesOf(
    { subject: 'user', subjectId: person.id },
    {
      Login: [person.login, next.login],
      FullName: [person.full_name, next.full_name],
      GivenName: [person.given_name, next.given_name],
      Email: [person.email, next.email],
    },
  )
  // A person who sets the e-mail can have the password reset and enter the other organizations.
  if (isIdentity && !scope.super && (await belongsElsewhere(db, scope.organizationId, person.id))) {
    throw new Failure('rule', 'This person belongs to another organization too: only a super user may change login name or e-mail')
  }
  if (isRenamed) {
    const attempts = [takenLogins(scope.userId)]
    await requireNotThrottled(db, attempts)
    if (await isLoginTaken(db, next.login, person.id)) {
      await countFailure(db, attempts)
      return loginTaken()
    }
  }
  if (changes.length > 0) await db.updateTable('user_account').set(next).where('id', '=', person.id).execute()
  const moves = await changeProjects(db, scope, person.id, input)
  if (moves.length > 0) requireMayChange('projects', scope, person, person.id)
  // Of the tickets in all these projects, mails would be too many.
  await recordChanges(db, scope, [...changes, ...moves.map(move => ({ ...move, quiet: true as const }))])
  tellProjects(moves)

  if (next.email !== person.email) {
    await sql`delete from reset_code where user_id = ${person.id}`.execute(db)
    await withdrawInvitations(db, person.id)
    await queueEmailChanged(db, system, person.email, next)
    await queueEmailConfirmation(db, system, person.id)
  }
  return { Success: 1 as const }
})

/** Returns what was changed. */
async function changeProjects(
  db: Db,
  scope: SessionScope,
  userId: number,
  { ProjectMembership, MembershipBefore }: Input,
): Promise<Change[]> {
  if (!ProjectMembership) return []
  const projects = MembershipBefore
    ? withChanges(await membershipOf(db, scope.organizationId, userId), MembershipBefore, ProjectMembership)
    : ProjectMembership
  return setMembership(db, scope, userId, projects)
}

/** The stored list with what was added and removed between the other two. */
function withChanges(stored: number[], before: number[], after: number[]) {
  const removed = before.filter(id => !after.includes(id))
  const added = after.filter(id => !before.includes(id))
  return [...new Set([...stored.filter(id => !removed.includes(id)), ...added])]
}
