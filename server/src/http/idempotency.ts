import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, queryRows } from '../db/db.ts'
import { bytea, jsonb, text } from '../db/shape.ts'
import type { Credentials, SessionScope } from '../lib/authorize.ts'
import { Failure, invalid } from '../lib/failure.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The request's Idempotency-Key; undefined without one, 400 when it is not a UUID. */
export function idempotencyKeyOf(header: string | string[] | undefined) {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !uuid.test(header)) throw invalid('Idempotency-Key', 'must be a UUID')
  return header.toLowerCase()
}

/** A request that has the key to itself until the transaction ends. */
export interface Claim {
  key: string
  call: string
  requestHash: Buffer
  /** Nobody has used the key before. */
  isFirst: boolean
}

/**
 * Claims the key for the person of the session. It waits for a concurrent request with the same key, so the caller's rights are proved
 * afterwards. Part of the caller's transaction. Without such a session nothing is claimed, and the proof refuses the request.
 */
export async function claim(
  db: Db,
  { organizationId, tokenHash }: Pick<Credentials, 'organizationId' | 'tokenHash'>,
  key: string,
  call: string,
  request: unknown,
): Promise<Claim> {
  const requestHash = hash('sha256', JSON.stringify(request), 'buffer')
  const inserted = await sql`
    insert into idempotency_key (organization_id, user_id, key, call, request_hash)
    select s.organization_id, s.user_id, ${key}::uuid, ${call}::text, ${requestHash}::bytea from session s
    where s.organization_id = ${organizationId} and s.token_hash = ${tokenHash} and s.ended_at is null
    on conflict (organization_id, user_id, key) do nothing returning 1`.execute(db)
  return { key, call, requestHash, isFirst: inserted.rows.length > 0 }
}

/**
 * Runs `handle` once per claimed key: a repetition with the same request gets the first answer, with another request 422.
 * A returned Failure is not stored: the next attempt runs again.
 */
export async function once<T>(
  db: Db,
  scope: SessionScope,
  { key, call, requestHash, isFirst }: Claim,
  handle: () => Promise<T>,
): Promise<T> {
  const { organizationId, userId } = scope
  if (!isFirst) {
    const rows = await queryRows(db, { call: text, request_hash: bytea, answer: jsonb<T>() })`
      select call, request_hash, answer from idempotency_key
      where organization_id = ${organizationId} and user_id = ${userId} and key = ${key}`
    const [first] = rows
    if (!first || first.call !== call || !first.request_hash.equals(requestHash)) {
      throw new Failure('rule', 'This Idempotency-Key was used for another request')
    }
    return first.answer
  }
  const answer = await handle()
  if (answer instanceof Failure) {
    await sql`
      delete from idempotency_key where organization_id = ${organizationId} and user_id = ${userId} and key = ${key}`.execute(db)
    return answer
  }
  await sql`
    update idempotency_key set answer = ${JSON.stringify(answer)}::jsonb
    where organization_id = ${organizationId} and user_id = ${userId} and key = ${key}`.execute(db)
  return answer
}
