import * as contract from '@tessera/contract/people/users'
import { implement } from '../../http/implement.ts'
import { findPerson, membershipOf } from './queries.ts'

export const getUserEditData = implement(contract.getUserEditData, async ({ db, scope, input }) => {
  const person = await findPerson(db, scope.organizationId, input.idUser)
  return {
    Login: person.login,
    FullName: person.full_name,
    GivenName: person.given_name,
    Email: person.email,
    ProjectMembership: await membershipOf(db, scope.organizationId, input.idUser),
    ...(input.Account === 1 && {
      Account: { Active: person.disabled ? (0 as const) : (1 as const), HasPassword: person.has_password ? (1 as const) : (0 as const) },
    }),
  }
})
