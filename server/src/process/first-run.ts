import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Db, queryRows } from '../db/db.ts'
import { bool } from '../db/shape.ts'
import { Failure } from '../lib/failure.ts'
import { isSameSecret } from '../lib/same-secret.ts'

/**
 * The token of the one-time set-up address. It is derived from the installation's secret, so that every process and every restart prints the same token and nothing is stored; it works until the first super user exists.
 */
function setUpToken(secret: Buffer) {
  return createHmac('sha256', secret).update('set-up').digest('base64url')
}
export function setUpAddress(config: Pick<Config, 'publicUrl'>, secret: Buffer) {
  return `${config.publicUrl}/set-up/${setUpToken(secret)}`
}
export function isSetUpToken(secret: Buffer, token: string) {
  return isSameSecret(setUpToken(secret), token)
}

/** Whether nobody can administer this installation yet. */
export async function isSetUpNeeded(db: Db) {
  const rows = await queryRows(db, { needed: bool })`select not exists (select 1 from user_account where super) as needed`
  return rows[0]?.needed === true
}

/** Creates the first super user and their organization, whose administrator they become. Throws 422 when there is one already. Call in a transaction. */
export async function createFirstUser(db: Db, first: { login: string; passwordHash: string; email: string; organization: string }) {
  await sql`select 1 from installation for update`.execute(db)
  if (!(await isSetUpNeeded(db))) throw new Failure('rule', 'Tessera is set up already')
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
