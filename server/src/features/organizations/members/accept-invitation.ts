import * as contract from '@tessera/contract/people/organizations'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { lockRights } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { requireInvitation } from './invitations.ts'
import { lockAccount } from './standing.ts'

// The link is the proof: a person who can read the mail may accept, signed in or not.
export const acceptInvitation = implement(contract.acceptInvitation, async ({ db, input, system, request, tellManagers }) => {
  const early = await requireInvitation(db, system.secret, input.Token)
  const { organizationId } = early
  request.account = early.userId
  await lockRights(db, organizationId)
  await lockAccount(db, early.userId)
  // The inviting administrator may have lost the right since.
  const { userId, admin, manager } = await requireInvitation(db, system.secret, input.Token)
  await sql`delete from invitation where organization_id = ${organizationId} and user_id = ${userId}`.execute(db)
  const { rows } = await sql`
    insert into organization_member (organization_id, user_id, admin, manager) values (${organizationId}, ${userId}, ${admin}, ${manager})
    on conflict (organization_id, user_id) do nothing returning 1`.execute(db)
  const flags = Object.entries({ Member: true, Admin: admin, Manager: manager }).filter(([, isSet]) => isSet && rows.length > 0)
  await recordChanges(
    db,
    { organizationId, userId },
    flags.map(([field]) => ({ subject: 'organization_member', subjectId: userId, field, before: null, after: '1' })),
  )
  tellManagers(organizationId)
  return { Success: 1 as const }
})
