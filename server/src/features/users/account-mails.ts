import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { int8, text } from '../../db/shape.ts'
import { mailBodies } from '../../mail/mail.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { signedToken } from '../../mail/signed-link.ts'
import type { System } from '../../process/system.ts'
import type { Person } from './queries.ts'

/** How long an address can be confirmed. */
export const confirmationHours = 72

/** Asks the owner of an address that somebody else set to confirm it. Links sent before are void. */
export async function queueEmailConfirmation(db: Db, { config, secret }: System, idUser: number) {
  await sql`update user_account set email_changed_at = now() where id = ${idUser}`.execute(db)
  // A second statement, because Citus refuses extract() in RETURNING.
  const rows = await queryRows(db, { login: text, email: text, changedAt: int8 })`
    select login, email, (extract(epoch from email_changed_at) * 1000000)::bigint as "changedAt" from user_account where id = ${idUser}`
  if (!rows[0]) return
  const { login, email, changedAt } = rows[0]
  await queueMail(db, {
    to: email,
    subject: 'Confirm your e-mail address',
    ...mailBodies({
      paragraphs: [
        `This address was set for the account ${login} by an administrator.`,
        `Confirm that it is yours. Until then no link to reset the password is sent to it. The link works once, within ${confirmationHours} hours.`,
      ],
      link: {
        label: 'Confirm the address',
        url: `${config.publicUrl}/confirm-email/${signedToken(secret, 'confirm-email', idUser, changedAt)}`,
      },
      foot: `If the account is not yours, do not follow the link and tell ${config.support}.`,
    }),
  })
}

/** Tells the former address of an account that an administrator changed it. */
export async function queueEmailChanged(
  db: Db,
  { config }: System,
  former: string,
  { login, full_name, given_name, email }: Pick<Person, 'login' | 'full_name' | 'given_name' | 'email'>,
) {
  await queueMail(db, {
    to: former,
    subject: 'Your e-mail address was changed',
    ...mailBodies({
      paragraphs: [
        `Hello ${given_name || full_name || login},`,
        `An administrator changed the e-mail address of your account ${login} from ${former || 'none'} to ${email || 'none'}.`,
        `If this is not right, tell ${config.support}.`,
      ],
    }),
  })
}

/** Notifies the owner of a changed password. */
export async function queuePasswordChanged(db: Db, { config }: System, idUser: number) {
  const { login, email } = await db.selectFrom('user_account').select(['login', 'email']).where('id', '=', idUser).executeTakeFirstOrThrow()
  await queueMail(db, {
    to: email,
    subject: 'Your password was changed',
    ...mailBodies({
      paragraphs: [
        `The password of your account ${login} was just changed, and every other browser was signed out.`,
        `If it was not you, reset the password at once and tell ${config.support}.`,
      ],
      link: { label: 'Reset the password', url: `${config.publicUrl}/reset-password` },
    }),
  })
}
