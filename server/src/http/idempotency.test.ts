import { randomUUID } from 'node:crypto'
import type { Call } from '@tessera/contract/call'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../test/fixtures/factories.ts'
import { startServer } from '../../test/servers/server.ts'
import { handlers } from '../handlers/handlers.ts'
import type { SessionScope } from '../lib/authorize.ts'
import { Failure } from '../lib/failure.ts'
import { claim, once } from './idempotency.ts'

test('a Failure that a handler returns is not stored for the Idempotency-Key: the next attempt runs', async () => {
  await using server = await startServer()
  const organizationId = await makeOrganization(server.db)
  const userId = await makeUser(server.db, organizationId)
  const scope = { organizationId, userId } as SessionScope
  const tokenHash = Buffer.alloc(32)
  await server.sql`insert into session (organization_id, token_hash, user_id) values (${organizationId}, ${tokenHash}, ${userId})`
  const key = randomUUID()
  const attempt = (answer: unknown, call = '/call', of = key) =>
    server.db.transaction().execute(async db => {
      const claimed = await claim(db, { organizationId, tokenHash }, of, call, { a: 1 })
      return once(db, scope, claimed, async () => answer)
    })
  const failure = new Failure('rule', 'Not now')
  expect(await attempt(failure)).toBe(failure)
  expect(await attempt({ Success: 1 })).toEqual({ Success: 1 })
  const other = randomUUID()
  for (const answer of [failure, { Success: 3 }]) expect(await attempt(answer, '/call', other)).toBe(answer)
  expect(await attempt({ Success: 2 })).toEqual({ Success: 1 })
  await expect(attempt({ Success: 2 }, '/other')).rejects.toThrow('another request')
  // A session that has ended claims nothing, so that its request waits for no other.
  await server.sql`update session set ended_at = now() where organization_id = ${organizationId} and token_hash = ${tokenHash}`
  expect(await claim(server.db, { organizationId, tokenHash }, randomUUID(), '/call', {})).toMatchObject({ isFirst: false })
  expect(await server.sql`select 1 from idempotency_key where organization_id = ${organizationId}`).toHaveLength(2)
})

test('whatever creates something, a comment and an upload repeat their answer', () => {
  const calls = Object.values(handlers).map(({ call }): Call => call)
  const others = /^(set-(label|search|view|ticket-comment|ticket-link)|attachment-upload|copy-project-set-up)$/
  // The answer that names a calendar feed's secret address is not stored.
  const creating = calls.filter(({ name }) => (name.startsWith('create-') && name !== 'create-calendar-feed') || others.test(name))
  expect(creating.length).toBeGreaterThan(10)
  expect(creating.filter(({ idempotent }) => !idempotent).map(({ name }) => name)).toEqual([])
})
