import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startProcess, temporaryDirectory } from '../test/process.ts'

test('starts cold, prints a set-up address, answers health and metrics, and leaves on SIGTERM with PostgreSQL', async () => {
  using place = temporaryDirectory()
  await using server = startProcess({ TESSERA_DATA: place.folder })
  const address = await server.ready()
  expect(server.output).toMatch(/\/set-up\/[\w-]{43}\s/)

  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: 'ok' })
  const ready = await fetch(`${address}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([
    200,
    expect.objectContaining({ status: 'ready', database: 'ok', migrations: 'ok', storage: 'ok' }),
  ])
  await fetch(`${address}/api/1/private/connstate.json.php`)
  const metrics = await (await fetch(`${address}/metrics`)).text()
  expect(metrics).toContain('tessera_http_request_duration_seconds_count{call="connstate",status="200"} 1')
  expect(metrics).toContain('tessera_database_up 1')
  expect(metrics).toMatch(/tessera_nodejs_eventloop_lag_p99_seconds [\d.]+/)
  expect(server.output).toMatch(/"call":"connstate","status":200,"ms":/)

  server.child.kill('SIGTERM')
  expect(await server.finished).toMatchObject({ code: 0 })
  await using again = startProcess({ TESSERA_DATA: place.folder })
  await again.ready()
})

test('makes the super user the settings name, once, and nobody without a password', async () => {
  using place = temporaryDirectory()
  const settings = { TESSERA_DATA: place.folder, TESSERA_ADMIN_LOGIN: 'root', TESSERA_ADMIN_PASSWORD: 'correct horse battery' }
  {
    await using short = startProcess({ ...settings, TESSERA_ADMIN_PASSWORD: 'short' })
    expect(await short.finished).toMatchObject({
      code: 1,
      output: expect.stringContaining('TESSERA_ADMIN_PASSWORD needs at least 8 characters'),
    })
  }
  await using server = startProcess(settings)
  const address = await server.ready()
  expect(server.output).toContain('Made the super user "root" and the organization "My organization"')
  expect(server.output).not.toContain('/set-up/')
  expect(server.output).not.toContain('correct horse')
  const page = await fetch(`${address}/api/1/private/connstate.json.php`)
  const cookies = page.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')
  const csrf = cookies.find(cookie => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? ''
  const answer = await fetch(`${address}/api/1/private/authenticate.json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookies.join('; '), 'x-xsrf-token': decodeURIComponent(csrf) },
    body: JSON.stringify({ user: 'root', pass: 'correct horse battery' }),
  })
  expect(await answer.json()).toMatchObject({ auth: 1, super: 1, orgname: 'My organization', orgperms: ['Organisation Admin'] })
})

test('says in one line which setting is wrong', async () => {
  const wrong = [
    [{ PORT: 'abc' }, "PORT is 'abc'"],
    [{ HOST: '203.0.113.9' }, "HOST: '203.0.113.9' is not an address of this machine"],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL is not an address'],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, 'DATABASE_URL: nothing answers at 127.0.0.1:1'],
    [{ TESSERA_ADMIN_LOGIN: 'root' }, 'TESSERA_ADMIN_PASSWORD is missing'],
    [{ TESSERA_STORAGE: 'ftp://x' }, 'TESSERA_STORAGE'],
    [{ TESSERA_DATA: '/etc/passwd/x' }, 'TESSERA_DATA'],
  ] as const
  const ends = await Promise.all(wrong.map(([settings]) => startProcess({ TESSERA_DATA: '/nonexistent/x', ...settings }).finished))
  for (const [index, { code, output }] of ends.entries()) {
    const lines = output.trim().split('\n')
    expect(lines).toEqual([expect.stringContaining(wrong[index]?.[1] ?? '')])
    expect(code).toBe(1)
  }
})

test('refuses a port that is taken before it starts anything', async () => {
  using place = temporaryDirectory()
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { code, output } = await startProcess({ TESSERA_DATA: place.folder, PORT: String(port) }).finished
  other.close()
  expect(code).toBe(1)
  expect(output.trim()).toBe(`PORT: ${port} is in use by another program: stop that one, or set PORT to another number.`)
})
