import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { bool, float8, int8, nullable, text } from '../../db/shape.ts'
import { anyDevice, digest, newToken } from '../../http/session-cookie.ts'
import { addJob, type Job, type JobLog } from '../../lib/background/job-queue.ts'
import { bucket, isWithin } from '../../lib/throttle.ts'
import { inTransaction } from '../../lib/transaction.ts'
import { composeMail, mailBodies } from '../../mail/mail.ts'
import { isUnknownRecipient } from '../../mail/mail-queue.ts'
import type { System } from '../../process/system.ts'
import { confirmationHours, queueEmailConfirmation } from '../users/account-mails.ts'

/** Maximum number of people who share an address; more means a mailing list. */
const peopleAtMost = 5
/** Codes for a person that one device may have at once. */
const liveCodes = 3
/** Mails per person that one network, or one known device, may cause within `minutes`. */
const mailsPerBudget = 3
const minutes = 15

/** Finds the accounts of the name and queues a mail for each. */
export const requestReset: Job<'request-reset'> = async ({ db }, { name, device, network }) => {
  await inTransaction(db, async transaction => {
    const rows = await queryRows(transaction, { id: int8, givenUpAt: float8, known: bool })`
      select id, extract(epoch from now() + make_interval(mins => ${minutes}))::float8 * 1000 as "givenUpAt",
        exists (select 1 from known_device where user_id = user_account.id and device_hash = decode(${device}, 'hex')) as known
      from user_account where (lower(login) = lower(${name}) or lower(email) = lower(${name})) and not disabled and email <> ''
      order by lower(login) = lower(${name}) desc, id limit ${peopleAtMost}`
    for (const { id, givenUpAt, known } of rows) {
      // Each network and each known device has its own budget, so requests by strangers elsewhere do not count against the owner's.
      const budget = bucket('reset-mail', `${id} ${known ? device : (network ?? device)}`, mailsPerBudget, minutes)
      if (await isWithin(transaction, budget)) await addJob(transaction, 'reset-mail', { userId: id, device, givenUpAt })
    }
  })
}

/** Makes a code and mails it. The code is made here, so that only its digest is ever stored; it is deleted when the mail fails. */
export const resetMail: Job<'reset-mail'> = async (system, { userId, device, givenUpAt }, log) => {
  const { db } = system
  const code = newToken()
  const person = await inTransaction(db, async transaction => {
    const rows = await queryRows(transaction, { login: text, email: text, waits: bool, asked: nullable(bool) })`
      select login, email, email_changed_at is not null as waits, email_changed_at > now() - make_interval(hours => ${confirmationHours}) as asked
      from user_account
      where id = ${userId} and not disabled and email <> '' and now() <= to_timestamp(${givenUpAt}::float8 / 1000) for no key update`
    if (!rows[0]) return undefined
    // An address that somebody else set gets no link before its owner has confirmed it.
    if (rows[0].waits) {
      if (!rows[0].asked) await queueEmailConfirmation(transaction, system, userId)
      return undefined
    }
    // A device replaces only its own oldest code: a code on another device stays usable.
    await sql`
      delete from reset_code where code_hash in (
        select code_hash from reset_code where user_id = ${userId} and device_hash = decode(${device}, 'hex') and used_at is null
        order by created_at desc offset ${liveCodes - 1})`.execute(transaction)
    await sql`
      insert into reset_code (code_hash, user_id, device_hash, expires_at)
      values (${digest(code)}, ${userId}, decode(${device}, 'hex'), now() + make_interval(mins => ${minutes}))`.execute(transaction)
    return rows[0]
  })
  if (!person) return
  await sendCode(system, log, userId, code, {
    to: person.email,
    subject: 'Reset your password',
    ...mailBodies({
      paragraphs: [
        `Somebody, probably you, asked to set a new password for the account ${person.login}.`,
        `The link works once, within ${minutes} minutes, and only in the browser that asked for it.`,
      ],
      link: { label: 'Set a new password', url: codeAddress(system, code) },
      foot: 'If it was not you, ignore this mail: nothing has changed.',
    }),
  })
}

/** How long a new person has to choose the first password. */
const welcomeHours = 72

/**
 * Welcomes a new person with a link to set the first password. No browser requested it, so it works in any; a person who already has a password
 * gets none. The fragment tells the page, but no server, whom it is for.
 */
export const welcomeMail: Job<'welcome-mail'> = async (system, { userId, title }, log) => {
  const code = newToken()
  const rows = await queryRows(system.db, { login: text, name: text, email: text })`
    with person as (
      select id, login, email, coalesce(nullif(given_name, ''), nullif(full_name, ''), login) as name from user_account
      where id = ${userId} and not disabled and email <> '' and email_changed_at is null and password_hash is null
      for no key update
    ), made as (
      insert into reset_code (code_hash, user_id, device_hash, expires_at)
      select ${digest(code)}, id, ${anyDevice}::bytea, now() + make_interval(hours => ${welcomeHours}) from person
    )
    select login, name, email from person`
  const [person] = rows
  if (!person) return
  await sendCode(system, log, userId, code, {
    to: person.email,
    subject: `Welcome to ${title}`,
    ...mailBodies({
      paragraphs: [
        `Hello ${person.name},`,
        `You can now work in ${title} with Tessera. Your login name is ${person.login}.`,
        `Choose your password first. The link works once, within ${welcomeHours} hours; after that, ask for another one at ${system.config.publicUrl}/reset-password.`,
      ],
      link: { label: 'Choose your password', url: `${codeAddress(system, code)}#${encodeURIComponent(person.login)}` },
    }),
  })
}

function codeAddress({ config }: System, code: string) {
  return `${config.publicUrl}/reset-password-verify/${code}`
}

/** The code is deleted when the mail fails; the next attempt makes another. There is none if the mail server does not know the address. */
async function sendCode({ db, mailer }: System, log: JobLog, userId: number, code: string, parts: Parameters<typeof composeMail>[0]) {
  const mail = composeMail(parts)
  if (!mail) return
  try {
    await mailer.send(mail)
  } catch (error) {
    await sql`delete from reset_code where code_hash = ${digest(code)}`.execute(db)
    if (!isUnknownRecipient(error)) throw error
    log.error({ err: error, userId }, 'the mail server does not know the address of this person: their mail is not tried again')
  }
}
