import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import compress from '@fastify/compress'
import { setLabel } from '@tessera/contract/projects/labels'
import { events } from '@tessera/contract/projects/live'
import fastify from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { peopledProject } from '../../test/fixtures/worlds/peopled-project.ts'
import { cookieOf, startServer } from '../../test/servers/server.ts'
import type { System } from '../process/system.ts'
import { handleErrors } from './failures.ts'

test('a call that takes longer than a connection may be silent is answered, and a stream of events stays open', async () => {
  await using server = await startServer({ TESSERA_SILENCE_SECONDS: '1' })
  const { organization, project, someone } = await peopledProject(server)
  const ann = await someone([1, 8])
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as { port: number }
  const locked = Promise.withResolvers<void>()
  const holding = server.db.transaction().execute(async transaction => {
    await sql`select 1 from project where organization_id = ${organization} and id = ${project.projectId} for update`.execute(transaction)
    locked.resolve()
    await sleep(3000)
  })
  await locked.promise
  const began = performance.now()
  const cookie = cookieOf(ann)
  const leaving = new AbortController()
  const stream = await fetch(`http://127.0.0.1:${port}${events.path}`, { headers: { cookie }, signal: leaving.signal })
  const end = stream.text().then(
    () => 'ended',
    () => 'cut',
  )
  const answer = await fetch(`http://127.0.0.1:${port}${setLabel.path}`, {
    method: 'POST',
    headers: { ...ann.headers, 'content-type': 'application/json', cookie },
    body: JSON.stringify({ idProject: project.projectId, Label: 'Quay' }),
  })
  expect(answer.status).toBe(200)
  expect(performance.now() - began).toBeGreaterThan(2000)
  expect(await Promise.race([end, 'open'])).toBe('open')
  leaving.abort()
  await holding
})

test('a client that leaves before its compressed answer begins is not logged as a defect', async () => {
  const logged: string[] = []
  const app = fastify({ logger: { stream: { write: line => void logged.push(JSON.parse(line).msg) } } })
  await app.register(compress, { encodings: ['gzip'] })
  handleErrors(app, {} as System)
  const client = new AbortController()
  app.post('/slow', async (_request, reply) => {
    client.abort()
    await once(reply.raw, 'close')
    // Compressed as a stream, as large answers are.
    return 'x'.repeat(1_000_000)
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  await expect(fetch(`${origin}/slow`, { method: 'POST', body: 'x', signal: client.signal })).rejects.toThrow()
  await expect.poll(() => logged).toContain('the client left')
  expect(logged).not.toContain('defect')
  await app.close()
})
