import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../test/fixtures/factories.ts'
import { startServer } from '../../test/servers/server.ts'
import type { SessionScope } from '../lib/authorize.ts'
import { Failure } from '../lib/failure.ts'
import { once } from './idempotency.ts'

test('a Failure that a handler returns is not kept as the answer: the next try with the same key runs', async () => {
  await using server = await startServer()
  const organizationId = await makeOrganization(server.db)
  const userId = await makeUser(server.db, organizationId)
  const scope = { organizationId, userId } as SessionScope
  const key = randomUUID()
  const attempt = (answer: unknown) => server.db.transaction().execute(db => once(db, scope, key, '/call', { a: 1 }, async () => answer))
  const failure = new Failure('rule', 'Not now')
  expect(await attempt(failure)).toBe(failure)
  expect(await attempt({ Success: 1 })).toEqual({ Success: 1 })
  expect(await attempt({ Success: 2 })).toEqual({ Success: 1 })
})
