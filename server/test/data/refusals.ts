import type { Call } from '@tessera/contract/call'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { marker } from '../../src/db/guard/across-organizations.ts'
import type { Caller, Db, TestServer } from '../servers/server.ts'

/** One text for all rows of all tables but sessions: equal before and after means that nothing was written. */
export async function databaseDigest(db: Db) {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'session' order by tablename`.execute(db)
  const union = tables.rows.map(
    ({ name }) => `select '${name}' as name, md5(coalesce(string_agg(r::text, E'\\n' order by r::text), '')) as md5 from "${name}" r`,
  )
  const { rows } = await sql.raw<{ name: string; md5: string }>(`${marker('operator')} ${union.join(' union all ')}`).execute(db)
  return rows
    .map(({ name, md5 }) => `${name} ${md5}`)
    .sort()
    .join('\n')
}

interface Refusals {
  /** A valid input of a permitted caller. */
  input: object
  caller: Caller
  /** A person of another organization, for whom the ids do not exist. */
  foreigner?: Caller
  /** A member who sees the object but lacks the permission. */
  unpermitted?: Caller
  /** Bodies that the schema refuses, each with the expected path. */
  bad?: [body: unknown, path: string][]
}

/** For a call on several things: none of them, and one of them twice. */
export function badIds({ ids: [id], ...input }: { ids: number[] }): [body: unknown, path: string][] {
  return [[], [id, id]].map(ids => [{ ...input, ids }, 'ids'])
}

/** Tests the refusals of every call: no session 403, a bad body 400 with the path, another organization 404, no permission 422; nothing may change. */
export async function expectRefusals(server: TestServer, call: Call, { input, caller, foreigner, unpermitted, bad = [] }: Refusals) {
  const before = await databaseDigest(server.db)
  expect(await server.as(null, call, input)).toMatchObject({ status: 403, body: { auth: 0 } })
  for (const [body, path] of [[{ ...input, surplus: 1 }, 'surplus'] as [unknown, string], ...bad]) {
    const answer = await server.as(caller, call, body)
    expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect((answer.body as { fields: unknown }).fields).toContainEqual({ path, message: expect.any(String) })
  }
  if (foreigner) expect(await server.as(foreigner, call, input)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  if (unpermitted)
    expect(await server.as(unpermitted, call, input)).toMatchObject({ status: 422, body: { Success: 0, code: 'not_permitted' } })
  expect(await databaseDigest(server.db)).toBe(before)
}
