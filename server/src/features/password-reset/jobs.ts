import { sql } from 'kysely'
import { addJob, type Job } from '../../lib/jobs.ts'
import { composeMail, mailBodies } from '../../lib/mail.ts'
import { digest, newToken } from '../../lib/session-cookie.ts'
import { inTransaction } from '../../lib/transaction.ts'

/** People who share an address; more than this is no mistake but a list. */
const peopleAtMost = 5
/** Codes of a person at once. */
const liveCodes = 3
const minutes = 15

/** Finds who is meant and gives each a mail of their own. */
export const requestReset: Job<'request-reset'> = async ({ db }, { name, device }) => {
  await inTransaction(db, async transaction => {
    const { rows } = await sql<{ id: number; givenUpAt: number }>`
      select id, extract(epoch from now() + make_interval(mins => ${minutes}))::float8 * 1000 as "givenUpAt" from user_account where (lower(login) = lower(${name}) or (email <> '' and lower(email) = lower(${name}))) and not disabled and email <> ''
      order by lower(login) = lower(${name}) desc, id limit ${peopleAtMost}`.execute(transaction)
    for (const { id, givenUpAt } of rows) await addJob(transaction, 'reset-mail', { userId: id, device, givenUpAt })
  })
}

/** Makes a code and mails it. The code is made here, so that only its digest ever rests anywhere; a mail that fails takes its code along. */
export const resetMail: Job<'reset-mail'> = async ({ db, config, mailer }, { userId, device, givenUpAt }) => {
  const code = newToken()
  const person = await inTransaction(db, async transaction => {
    const { rows } = await sql<{ login: string; email: string }>`
      select login, email from user_account
      where id = ${userId} and not disabled and email <> '' and now() <= to_timestamp(${givenUpAt}::float8 / 1000) for no key update`.execute(
      transaction,
    )
    if (!rows[0] || !(await makeRoom(transaction, userId, device))) return undefined
    await sql`
      insert into reset_code (code_hash, user_id, device_hash, expires_at)
      values (${digest(code)}, ${userId}, decode(${device}, 'hex'), now() + make_interval(mins => ${minutes}))`.execute(transaction)
    return rows[0]
  })
  if (!person) return
  const mail = composeMail({
    to: person.email,
    subject: 'Reset your password',
    ...mailBodies({
      paragraphs: [
        `Somebody, probably you, asked to set a new password for the account ${person.login}.`,
        `The link works once, within ${minutes} minutes, and only in the browser that asked for it.`,
      ],
      link: { label: 'Set a new password', url: `${config.publicUrl}/reset-password-verify/${code}` },
      foot: 'If it was not you, nothing has changed and there is nothing to do.',
    }),
  })
  if (!mail) return
  try {
    await mailer.send(mail)
  } catch (error) {
    await sql`delete from reset_code where code_hash = ${digest(code)}`.execute(db)
    throw error
  }
}

/**
 * Whether the device may have another code. A device replaces its own oldest; one the person has signed in from also replaces a stranger's.
 * A stranger's request neither ends the code somebody is about to use nor floods the mailbox.
 */
async function makeRoom(db: Parameters<typeof addJob>[0], userId: number, device: string) {
  const { rows } = await sql<{ live: number; replaceable: Buffer | null }>`
    with live as (
      select c.code_hash, c.created_at, c.device_hash = decode(${device}, 'hex') as own,
        exists (select 1 from known_device k where k.user_id = c.user_id and k.device_hash = c.device_hash) as known
      from reset_code c where c.user_id = ${userId} and c.used_at is null and c.expires_at > now()),
    asking as (select exists (select 1 from known_device where user_id = ${userId} and device_hash = decode(${device}, 'hex')) as known)
    select (select count(*)::int from live) as live,
      (select code_hash from live, asking where live.own or (asking.known and not live.known) order by live.own desc, created_at limit 1) as replaceable`.execute(
    db,
  )
  const [room] = rows
  if (!room || room.live < liveCodes) return true
  if (room.replaceable === null) return false
  await sql`delete from reset_code where code_hash = ${room.replaceable}`.execute(db)
  return true
}
