import { createHmac, type KeyObject } from 'node:crypto'
import { limits } from '@tessera/contract/limits'
import { isOneLine, problemOfLogin } from '@tessera/contract/names'
import { LoginName, OptionalEmail } from '@tessera/contract/scalars'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Db, queryRows } from '../db/db.ts'
import { bool } from '../db/shape.ts'
import { sqlState } from '../db/sql-state.ts'
import { accept } from '../http/schemas/accept.ts'
import { Failure } from '../lib/failure.ts'
import { requireGoodPassword } from '../lib/passwords/password-policy.ts'
import { hashPassword } from '../lib/passwords/passwords.ts'
import { isSameSecret } from '../lib/same-secret.ts'
import { inTransaction } from '../lib/transaction.ts'
import { OperatorError } from '../operator-error.ts'
import type { System } from './system.ts'

/**
 * The token of the one-time set-up address. It is derived from the installation's secret, so that every process and every restart prints the same token and nothing is stored; it works until the first super user exists.
 */
function setUpToken(secret: KeyObject) {
  return createHmac('sha256', secret).update('set-up').digest('base64url')
}
export function setUpAddress(config: Pick<Config, 'publicUrl'>, secret: KeyObject) {
  return `${config.publicUrl}/set-up/${setUpToken(secret)}`
}
export function isSetUpToken(secret: KeyObject, token: string) {
  return isSameSecret(setUpToken(secret), token)
}

/** Whether nobody can administer this installation yet; true too while there are no tables. */
export async function isSetUpNeeded(db: Db) {
  const rows = await queryRows(db, { needed: bool })`select not exists (select 1 from user_account where super) as needed`.catch(error => {
    if (sqlState(error) !== '42P01') throw error
    return [{ needed: true }]
  })
  return rows[0]?.needed === true
}

/** Throws OperatorError when the settings cannot be used for the first super user. */
export function requireUsableFirstUser(
  { login, password, email, organization }: NonNullable<Config['firstRun']>,
  { passwordMinLength }: Config,
) {
  if (accept(LoginName, login) === undefined) throw new OperatorError('TESSERA_ADMIN_LOGIN must be 1 to 100 characters without blanks.')
  const problem = problemOfLogin(login)
  if (problem !== undefined) throw new OperatorError(`TESSERA_ADMIN_LOGIN ${problem}.`)
  if (accept(OptionalEmail, email) === undefined) throw new OperatorError(`TESSERA_ADMIN_EMAIL is '${email}': give an e-mail address.`)
  requireUsableOrganization(organization)
  if ([...password].length < passwordMinLength)
    throw new OperatorError(`TESSERA_ADMIN_PASSWORD needs at least ${passwordMinLength} characters (TESSERA_PASSWORD_MIN_LENGTH).`)
  if (Buffer.byteLength(password) > limits.password)
    throw new OperatorError(`TESSERA_ADMIN_PASSWORD may have at most ${limits.password} bytes: the sign-in takes no more.`)
}

/** Throws OperatorError when the setting cannot be the title of an organization. */
export function requireUsableOrganization(title: string) {
  if (!isOneLine(title)) throw new OperatorError('TESSERA_ORGANIZATION must be one line, without control characters.')
  if ([...title].length > limits.name) throw new OperatorError(`TESSERA_ORGANIZATION must have at most ${limits.name} characters.`)
}

/** Creates the first super user and their organization, whose administrator they become. Throws 422 when there is already one. Call in a transaction. */
export async function createFirstUser(db: Db, first: { login: string; passwordHash: string; email: string; organization: string }) {
  await sql`select 1 from installation for update`.execute(db)
  if (!(await isSetUpNeeded(db))) throw new Failure('rule', 'Tessera is already set up')
  const { id: idOrganization } = await db
    .insertInto('organization')
    .values({ title: first.organization })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: idUser } = await db
    .insertInto('user_account')
    .values({ login: first.login, password_hash: first.passwordHash, email: first.email, super: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('organization_member').values({ organization_id: idOrganization, user_id: idUser, admin: true }).execute()
  return { idUser, idOrganization }
}

/** On an installation that nobody can administer: creates the user that the settings name, or returns the one-time set-up address. */
export async function firstRun({ config, db, secret }: System): Promise<string | null> {
  if (!(await isSetUpNeeded(db))) return null
  if (!config.firstRun) return `Nobody can sign in yet. Open this address once to create the first user:\n  ${setUpAddress(config, secret)}`
  const { password, ...user } = config.firstRun
  const advice = adviceOn(password, config, Object.values(user))
  const passwordHash = await hashPassword(password)
  try {
    await inTransaction(db, transaction => createFirstUser(transaction, { ...user, passwordHash }))
  } catch (error) {
    // Another node that started at the same time was faster.
    if (await isSetUpNeeded(db)) throw error
    return null
  }
  return `Created the super user "${user.login}" and the organization "${user.organization}".${advice}`
}

/** A password from the environment may be weak, but not without a warning. */
function adviceOn(password: string, config: Config, context: string[]) {
  try {
    requireGoodPassword(config, password, context)
    return ''
  } catch (error) {
    return `\nTESSERA_ADMIN_PASSWORD is easily guessed, change it after signing in: ${(error as Error).message}.`
  }
}
