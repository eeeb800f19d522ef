import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startServer } from '../../../test/servers/server.ts'

test('HEAD has the status of GET, also when the server is not ready', async () => {
  await using server = await startServer({ TESSERA_METRICS_TOKEN: 'secret' })
  const ask = async (url: string, headers = {}) => {
    const [get, head] = await Promise.all((['GET', 'HEAD'] as const).map(method => server.app.inject({ method, url, headers })))
    expect(head?.body).toBe('')
    expect(head?.headers['content-type']).toBe(get?.headers['content-type'])
    return [get?.statusCode, head?.statusCode]
  }
  expect(await ask('/healthz')).toEqual([200, 200])
  // The first check also claims the storage, which on a busy machine may take longer than the 2 s that a check has.
  await expect.poll(() => ask('/readyz')).toEqual([200, 200])
  expect(await ask('/metrics')).toEqual([404, 404])
  expect(await ask('/metrics', { authorization: 'Bearer secret' })).toEqual([200, 200])
  await server.sql`update installation set storage_id = 'another'`
  expect(await ask('/readyz')).toEqual([503, 503])
})

test('readiness is answered although a check takes longer than the silence limit', async () => {
  await using server = await startServer({ TESSERA_SILENCE_SECONDS: '1' })
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const status = await server.db.transaction().execute(async holder => {
    await sql`lock table migration in access exclusive mode`.execute(holder)
    return (await fetch(`${address}/readyz`)).status
  })
  expect(status).toBe(503)
})
