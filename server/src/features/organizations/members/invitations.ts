import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int8, text } from '../../../db/shape.ts'
import { Failure } from '../../../lib/failure.ts'
import { mailBodies } from '../../../mail/mail.ts'
import { queueMail } from '../../../mail/mail-queue.ts'
import { readSignedToken, signedToken } from '../../../mail/signed-link.ts'
import type { System } from '../../../process/system.ts'

/** How long an invitation can be accepted. */
export const invitationHours = 72

export interface Invitation {
  organizationId: number
  userId: number
  organization: string
  login: string
  admin: boolean
  manager: boolean
}

/** The invitation of a link; 422 when it was accepted, has expired or was replaced, or when its sender is no longer an active administrator of the organization. */
export async function requireInvitation(db: Db, secret: KeyObject, token: string): Promise<Invitation> {
  const [organizationId = 0, userId = 0, invitedAt = 0] = readSignedToken(secret, 'invitation', token) ?? []
  const rows = await queryRows(db, { organizationId: int8, userId: int8, organization: text, login: text, admin: bool, manager: bool })`
    select i.organization_id as "organizationId", i.user_id as "userId", o.title as organization, u.login, i.admin, i.manager
    from invitation i join organization o on o.id = i.organization_id join user_account u on u.id = i.user_id
    where i.organization_id = ${organizationId} and i.user_id = ${userId} and (extract(epoch from i.invited_at) * 1000000)::bigint = ${invitedAt}::bigint
      and i.invited_at > now() - make_interval(hours => ${invitationHours}) and not u.disabled
      and exists (select 1 from organization_member m join user_account inviter on inviter.id = m.user_id and not inviter.disabled
        where m.organization_id = ${organizationId} and m.user_id = i.invited_by and m.admin)`
  if (!rows[0])
    throw new Failure(
      'rule',
      'This invitation does not work: it was accepted, has expired, or was withdrawn. If you accepted it, choose the organization when you sign in.',
    )
  return rows[0]
}

/** Invites a person by mail and voids an earlier invitation. By accepting, the person shows the organization's administrators their e-mail address. */
export async function invite(
  db: Db,
  { config, secret }: System,
  organization: { id: number; title: string },
  invited: { userId: number; admin: boolean; manager: boolean },
  by: number,
) {
  const { userId, admin, manager } = invited
  const person = await db
    .selectFrom('user_account')
    .select(['login', 'email', 'email_changed_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (person.email === '' || person.email_changed_at !== null)
    throw new Failure('rule', 'This person has no confirmed e-mail address to be invited at: only a super user can add them')
  await sql`
    insert into invitation (organization_id, user_id, admin, manager, invited_by) values (${organization.id}, ${userId}, ${admin}, ${manager}, ${by})
    on conflict (organization_id, user_id) do update
      set admin = excluded.admin, manager = excluded.manager, invited_by = excluded.invited_by, invited_at = excluded.invited_at`.execute(
    db,
  )
  // A second statement, because Citus refuses extract() in RETURNING.
  const rows = await queryRows(db, { invitedAt: int8 })`
    select (extract(epoch from invited_at) * 1000000)::bigint as "invitedAt" from invitation
    where organization_id = ${organization.id} and user_id = ${userId}`
  const token = signedToken(secret, 'invitation', organization.id, userId, rows[0]?.invitedAt as number)
  await queueMail(db, {
    to: person.email,
    subject: `Invitation to ${organization.title}`,
    ...mailBodies({
      paragraphs: [
        `You are invited to the organization ${organization.title} with your account ${person.login}.`,
        `If you accept, you can choose it when you sign in, and its administrators see your name and e-mail address. The link works once, within ${invitationHours} hours.`,
      ],
      link: { label: 'See the invitation', url: `${config.publicUrl}/invitation/${token}` },
      foot: 'If you do not want to join, ignore this mail.',
    }),
  })
}
