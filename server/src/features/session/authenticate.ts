import * as contract from '@tessera/contract/session'
import { sql } from 'kysely'
import { acrossOrganizations } from '../../db/across-organizations.ts'
import { refreshCsrf } from '../../lib/csrf.ts'
import { implement } from '../../lib/implement.ts'
import { verifyPassword } from '../../lib/passwords.ts'
import { digest, newToken, setSessionCookie } from '../../lib/session-cookie.ts'
import { signedInAnswer } from './queries.ts'

interface Account {
  id: number
  password_hash: string | null
  super: boolean
  disabled: boolean
}

export const authenticate = implement(contract.authenticate, async ({ db, input, system, request, reply }) => {
  const { rows } =
    await sql<Account>`select id, password_hash, super, disabled from user_account where lower(login) = lower(${input.user.trim()})`.execute(
      db,
    )
  const [account] = rows
  const matches = await verifyPassword(account && !account.disabled ? account.password_hash : null, input.pass)
  if (!account || !matches) return { auth: 0 as const }

  const organizations = await sql<{ id: number; name: string }>`${acrossOrganizations('sign-in')}
    select o.id, o.title as name from organization o
    where ${account.super} or exists (select 1 from organization_member m where m.organization_id = o.id and m.user_id = ${account.id})
    order by lower(o.title), o.id`.execute(db)
  const chosen =
    input.orgid === undefined
      ? organizations.rows.length === 1
        ? organizations.rows[0]
        : undefined
      : organizations.rows.find(({ id }) => id === input.orgid)
  if (!chosen)
    return input.orgid === undefined && organizations.rows.length > 1
      ? { auth: 0 as const, orglist: organizations.rows }
      : { auth: 0 as const }

  const token = newToken()
  await sql`
    insert into session (organization_id, token_hash, user_id, address, device)
    values (${chosen.id}, ${digest(token)}, ${account.id}, ${request.ip}, ${request.headers['user-agent']?.slice(0, 300) ?? ''})`.execute(
    db,
  )
  setSessionCookie(system.config, reply, chosen.id, token)
  refreshCsrf(system, request, reply, `${chosen.id}.${token}`)
  return signedInAnswer(db, chosen.id, account.id)
})
