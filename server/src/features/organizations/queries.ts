import { organizationAdmin } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { type Db, queryRows, sqlState } from '../../db/db.ts'
import { bool, int8, text } from '../../db/shape.ts'
import { type OrganizationScope, requireRank } from '../../lib/authorize.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import { mailBodies } from '../../mail/mail.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { readSignedToken, signedToken } from '../../mail/signed-link.ts'
import type { System } from '../../process/system.ts'
import type { Standing } from '../users/rules.ts'

/** Only the organization's administrators and super users change it; a manager may read. */
export function requireOrganizationAdmin(scope: OrganizationScope) {
  requireRank('admin', scope)
}

export async function findOrganization(db: Db, id: number) {
  const organization = await db.selectFrom('organization').select('title').where('id', '=', id).executeTakeFirst()
  if (!organization) throw notFound()
  return organization
}

/** Turns a unique violation into a readable refusal. */
export async function withUniqueTitle<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === '23505') throw new Failure('duplicate', 'There is already an organization with this title')
    throw error
  }
}

/** Until the transaction ends, nobody deactivates or renames the account: whoever does takes the same lock, and then looks for other organizations. */
export async function lockAccount(db: Db, idUser: number) {
  const [account] = await queryRows(db, { super: bool, disabled: bool })`
    select super, disabled from user_account where id = ${idUser} for no key update`
  return account
}

/** The member's rank in the organization; undefined for a non-member. */
export async function standingOf(db: Db, organizationId: number, idUser: number): Promise<Standing | undefined> {
  const rows = await queryRows(db, { super: bool, admin: bool, manager: bool })`
    select u.super, m.admin, m.manager from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${idUser}`
  return rows[0]
}

/** The parts of a leaving member that history records; permissions only if they had any. */
export function standingParts({ admin, manager }: Pick<Standing, 'admin' | 'manager'>): Record<string, string> {
  return { Member: '1', ...(admin && { Admin: '1' }), ...(manager && { Manager: '1' }) }
}

/** Throws 422 when nobody but this person administers the organization and can sign in. The caller holds the rights lock. */
export async function requireAnotherAdmin(db: Db, organizationId: number, idUser: number) {
  const { rows } = await sql`
    select 1 from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.admin and m.user_id <> ${idUser} and not u.disabled limit 1`.execute(db)
  if (rows.length === 0) throw new Failure('rule', `An organization keeps at least one ${organizationAdmin}: appoint another one first`)
}

/** How long an invitation can be accepted. */
const invitationHours = 72

export interface Invitation {
  organizationId: number
  userId: number
  organization: string
  login: string
  admin: boolean
  manager: boolean
}

/** The invitation of a link; 422 when it was accepted, has expired or was replaced, or when its sender is no longer an active administrator of the organization. */
export async function requireInvitation(db: Db, secret: Buffer, token: string): Promise<Invitation> {
  const [organizationId = 0, userId = 0, invitedAt = 0] = readSignedToken(secret, 'invitation', token) ?? []
  const rows = await queryRows(db, { organizationId: int8, userId: int8, organization: text, login: text, admin: bool, manager: bool })`
    select i.organization_id as "organizationId", i.user_id as "userId", o.title as organization, u.login, i.admin, i.manager
    from invitation i join organization o on o.id = i.organization_id join user_account u on u.id = i.user_id
    where i.organization_id = ${organizationId} and i.user_id = ${userId} and (extract(epoch from i.invited_at) * 1000000)::bigint = ${invitedAt}::bigint
      and i.invited_at > now() - make_interval(hours => ${invitationHours}) and not u.disabled
      and exists (select 1 from organization_member m join user_account inviter on inviter.id = m.user_id and not inviter.disabled
        where m.organization_id = ${organizationId} and m.user_id = i.invited_by and m.admin)`
  if (!rows[0]) throw new Failure('rule', 'This invitation does not work: it was accepted, has expired, or was withdrawn')
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
