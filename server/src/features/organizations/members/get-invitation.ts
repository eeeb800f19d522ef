import * as contract from '@tessera/contract/people/organizations'
import { implement } from '../../../http/implement.ts'
import { requireInvitation } from './invitations.ts'

export const getInvitation = implement(contract.getInvitation, async ({ db, input, system }) => {
  const { organization, login } = await requireInvitation(db, system.secret, input.Token)
  return { Organization: organization, LoginName: login }
})
