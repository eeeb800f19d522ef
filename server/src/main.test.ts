import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { authenticate, connstate } from '@tessera/contract/people/session'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { tessera } from '../test/servers/command.ts'
import { addressOf, startProcess, temporaryDirectory } from '../test/servers/process.ts'
import { executeUnlimited, startServer } from '../test/servers/server.ts'
import { browser } from '../test/torture/tools/product.ts'
import { connect } from './db/connections/connect.ts'
import { runningServer } from './db/embedded/running-server.ts'

// Each test starts whole processes, on busy machines.
vi.setConfig({ testTimeout: 120_000 })

test('when the older Node.js that started it is killed, the server stops as well', async () => {
  using place = temporaryDirectory()
  const pretendToBeOld = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })"
  const command = [process.execPath, '--import', `data:text/javascript,${pretendToBeOld}`, 'server/bin/tessera.mjs'] as const
  await using server = startProcess({ TESSERA_DATA: place.folder }, ['start'], command)
  const address = await server.ready()
  expect(server.output).toContain('Node.js 20.0.0 is older than')
  server.child.kill('SIGKILL')
  // Ends when nobody has its output any more: neither the killed process nor the server.
  await server.finished
  await expect(fetch(`${address}/healthz`)).rejects.toThrow()
  expect(runningServer(place.folder)).toBeNull()
})

test('starts cold, prints a set-up address, answers health and metrics; SIGTERM lets what is in flight finish, a second signal leaves at once, and a thread that hangs holds nothing up', async () => {
  using place = temporaryDirectory()
  await using server = startProcess(
    { TESSERA_DATA: place.folder, UV_THREADPOOL_SIZE: '' },
    ['start'],
    [process.execPath, 'server/bin/tessera.mjs'],
  )
  const address = await server.ready()
  // An empty setting is none: sixteen threads besides those of V8.
  if (process.platform === 'linux') expect(readdirSync(`/proc/${server.child.pid}/task`).length).toBeGreaterThan(16)
  expect(server.output).toMatch(/\/set-up\/[\w-]{43}\s/)

  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({
    status: 'ok',
    version: JSON.parse(readFileSync('package.json', 'utf8')).version,
  })
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
  await vi.waitFor(() => expect(server.output).toMatch(/"call":"connstate","status":200,"ms":/), 30_000)

  const db = connect(runningServer(place.folder)?.connection ?? {}, { poolSize: 1 })
  // The answer in an object: a transaction waits for a promise that it returns.
  const { answer } = await db
    .transaction()
    .execute(async transaction => {
      await sql`lock table session, organization`.execute(transaction)
      const answer = fetch(`${address}/api/1/private/connstate.json.php`, { headers: { cookie: `sid=1.${'a'.repeat(43)}` } })
      // Not of pg_stat_activity, which one transaction sees as it was at its first look.
      const waiting = async () => (await sql`select 1 from pg_locks where not granted`.execute(transaction)).rows.length
      await expect.poll(waiting).toBeGreaterThan(0)
      server.child.kill('SIGTERM')
      await sleep(700)
      return { answer }
    })
    .finally(() => db.destroy())
  const { status, body } = await answer.then(async response => ({ status: response.status, body: await response.json() }))
  expect([status, body]).toEqual([200, { auth: 0 }])
  const answered = performance.now()
  expect(await server.finished).toMatchObject({ code: 0 })
  // Not the ten seconds that a request may take: the browser keeps its connection.
  expect(performance.now() - answered).toBeLessThan(8000)

  await using interrupted = startProcess({ TESSERA_DATA: place.folder })
  await interrupted.ready()
  interrupted.child.kill('SIGINT')
  interrupted.child.kill('SIGINT')
  expect([0, 130]).toContain((await interrupted.finished).code)

  // Nobody ever writes into the pipe, so the thread that opens it waits as for a disk that is gone.
  const pipe = path.join(place.folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const hang = encodeURIComponent(`(await import('node:fs')).readFile(${JSON.stringify(pipe)}, () => undefined)`)
  await using again = startProcess({ TESSERA_DATA: place.folder, NODE_OPTIONS: `--import=data:text/javascript,${hang}` })
  await again.ready()
  again.child.kill('SIGTERM')
  expect(await again.finished).toMatchObject({ code: 0 })
})

test('a first start that is interrupted says so, and the next one goes on, also after a kill at any moment', {
  tags: ['long'],
}, async () => {
  using place = temporaryDirectory()
  const interrupted = startProcess({ TESSERA_DATA: place.folder })
  await vi.waitFor(() => expect(readdirSync(place.folder).join()).toContain('postgres.new-'), { timeout: 30_000, interval: 10 })
  interrupted.child.kill('SIGTERM')
  expect(await interrupted.finished).toMatchObject({
    code: 0,
    output: 'Stopped before it was ready: the next start continues from here.\n',
  })
  for (const delay of [350, 800, 1300]) {
    const killed = startProcess({ TESSERA_DATA: place.folder })
    await sleep(delay)
    killed.child.kill('SIGKILL')
    await killed.finished
  }
  await using server = startProcess({ TESSERA_DATA: place.folder })
  const address = await server.ready()
  expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({ status: 'ready', migrations: 'ok' })
})

test('creates the super user of the settings once, and nobody without a password', async () => {
  await using empty = await startServer()
  const settings = {
    DATABASE_URL: addressOf(empty),
    TESSERA_DATA: empty.system.config.data,
    TESSERA_ADMIN_LOGIN: 'root',
    TESSERA_ADMIN_PASSWORD: 'correct horse battery',
  }
  {
    await using short = startProcess({ ...settings, TESSERA_ADMIN_PASSWORD: 'short' })
    expect(await short.finished).toMatchObject({
      code: 1,
      output: expect.stringContaining('TESSERA_ADMIN_PASSWORD needs at least 8 characters'),
    })
  }
  await using server = startProcess(settings)
  const address = await server.ready()
  expect(server.output).toContain('Created the super user "root" and the organization "My organization"')
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

test('says in one line which setting is wrong', { tags: ['long'] }, async () => {
  const wrong = [
    [{ HOST: '203.0.113.9' }, "HOST: '203.0.113.9' is not an address of this machine"],
    [{ TESSERA_DATA: '/proc/x/y' }, process.platform === 'linux' ? 'TESSERA_DATA: /proc/x/y is on no disk' : 'TESSERA_DATA'],
  ] as const
  // A command reads these settings as the start does, in less time.
  const wrongForAll = [
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, 'DATABASE_URL: nothing answers at 127.0.0.1:1'],
    [{ DATABASE_URL: 'postgres://nobody@/x?host=/nonexistent' }, 'DATABASE_URL: nothing answers at the socket /nonexistent/.s.PGSQL.5432'],
    [{ TESSERA_DATA: '/etc/passwd/x' }, 'TESSERA_DATA'],
    [{ TESSERA_DATA: '/etc/passwd' }, 'TESSERA_DATA: /etc/passwd is a file'],
  ] as const
  const nowhere = { TESSERA_DATA: '/nonexistent/x' }
  const ends: [string, { code: number | null; output: string }][] = []
  for (const [settings, line] of wrong) ends.push([line, await startProcess({ ...nowhere, ...settings }).finished])
  for (const [settings, line] of wrongForAll) ends.push([line, await tessera({ ...nowhere, ...settings }, 'migrate')])
  for (const [line, { code, output }] of ends) expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringContaining(line)]])
})

test('starts without an attachment storage that does not answer, and says so', { tags: ['long'] }, async () => {
  await using empty = await startServer()
  const silent = createServer(socket => socket.on('error', () => undefined))
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const storage = `s3://KEY:SECRET@127.0.0.1:${port}/bucket?tls=0`
  await using server = startProcess({
    DATABASE_URL: addressOf(empty),
    TESSERA_DATA: empty.system.config.data,
    TESSERA_STORAGE: storage,
    TESSERA_SILENCE_SECONDS: '2',
    TESSERA_WORKER: '4',
  })
  const address = await server.ready()
  expect(server.output).toMatch(/^Attachments: the storage does not answer \(.*correct TESSERA_STORAGE\.$/m)
  expect(server.output).toMatch(/^Not a setting, and without effect: TESSERA_WORKER \(.*\)\.$/m)
  expect(server.output).not.toContain('SECRET')
  await vi.waitFor(
    async () => expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({ status: 'ready', storage: 'unavailable' }),
    30_000,
  )
  silent.close()
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

test('in development a statement that is not bound to one organization is refused', { tags: ['long'] }, async () => {
  await using empty = await startServer()
  // Now this table is an organization's, and the sign-in asks for its rows by another column.
  await executeUnlimited(empty, sql`alter table throttle add organization_id bigint`)
  await using server = startProcess({ DATABASE_URL: addressOf(empty), TESSERA_DATA: empty.system.config.data, NODE_ENV: 'development' })
  const address = await server.ready()
  const stranger = browser(() => address)
  expect((await stranger.send(connstate.path)).status).toBe(200)
  expect((await stranger.post(authenticate, { user: 'nobody', pass: 'nothing' })).status).toBe(500)
  server.child.kill('SIGTERM')
  expect((await server.finished).output).toContain('Statement is not bound to one organization: throttle.organization_id is free')
})

test('npm start passes a signal on, and ends when the server has: the next start finds nothing in its way, and needs no place for compiled code', async () => {
  using place = temporaryDirectory()
  const nowhere = '/dev/null/compiled'
  for (const [signal, settings] of [
    ['SIGTERM', {}],
    ['SIGINT', { NODE_COMPILE_CACHE: nowhere }],
  ] as const) {
    await using server = startProcess({ TESSERA_DATA: place.folder, LOG_LEVEL: 'warn', ...settings }, [], ['npm', 'start', '--silent'])
    const address = await server.ready()
    server.child.kill(signal)
    const { code, output } = await server.finished
    const printed = output.replaceAll(/^Buil(ding|t) the web .*\n/gm, '')
    expect([code, printed]).toEqual([
      0,
      expect.stringMatching(/^(Node\.js .*\n)?(Brought the database .*\n)?Tessera is ready at .*\nNobody can sign in yet\. .*\n.*\n$/),
    ])
    await expect(fetch(`${address}/healthz`)).rejects.toThrow()
  }
})

test('a bundled PostgreSQL that dies is started again, and the server answers 503 quickly until then; one whose data directory disappears waits for it and creates no empty one', {
  tags: ['long'],
}, async () => {
  using place = temporaryDirectory()
  const data = path.join(place.folder, 'data')
  const elsewhere = path.join(place.folder, 'elsewhere')
  await using server = startProcess({ TESSERA_DATA: data })
  const address = await server.ready()
  const postmaster = () => Number(readFileSync(path.join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const timesBack = () => server.output.match(/The bundled PostgreSQL is back/g)?.length
  process.kill(postmaster(), 'SIGKILL')
  const seen = new Set<number>()
  const began = performance.now()
  for (let good = 0; good < 5; ) {
    const asked = performance.now()
    const { status } = await fetch(`${address}/readyz`)
    expect(performance.now() - asked).toBeLessThan(5000)
    seen.add(status)
    good = status === 200 && (seen.has(503) || performance.now() - began > 3000) ? good + 1 : 0
    expect(performance.now() - began).toBeLessThan(60_000)
    await sleep(20)
  }
  await vi.waitFor(() => expect(server.output).toContain('starting it again'), 30_000)
  await vi.waitFor(() => expect(timesBack()).toBe(1), 30_000)

  const pid = postmaster()
  renameSync(data, elsewhere)
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(server.output).toContain(`The database in ${data} has disappeared: mount the disk again`), 30_000)
  expect(existsSync(data)).toBe(false)
  expect((await fetch(`${address}/readyz`)).status).toBe(503)
  renameSync(elsewhere, data)
  await vi.waitFor(() => expect(timesBack()).toBe(2), 60_000)
  await vi.waitFor(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200), 30_000)
  expect(server.child.exitCode).toBeNull()
})

test('several workers share the port, count together, are replaced when they die, and end together', { tags: ['long'] }, async () => {
  using place = temporaryDirectory()
  await using server = startProcess({ TESSERA_DATA: place.folder, TESSERA_WORKERS: '2' })
  const address = await server.ready()
  const closed = { connection: 'close' }
  for (let index = 0; index < 6; index++) await fetch(`${address}/api/1/private/connstate.json.php`, { headers: closed })
  const answered = () => new Set([...server.output.matchAll(/"pid":(\d+),.*"call":"connstate"/g)].map(([, pid]) => Number(pid)))
  await expect.poll(() => answered().size).toBe(2)
  const metrics = await (await fetch(`${address}/metrics`, { headers: closed })).text()
  expect(metrics).toContain('tessera_http_request_duration_seconds_count{call="connstate",status="200"} 6')
  expect(metrics).toContain('tessera_database_up 1')

  process.kill([...answered()][0] as number, 'SIGKILL')
  await vi.waitFor(() => expect(server.output).toContain('starting another'), 30_000)
  expect((await fetch(`${address}/readyz`, { headers: closed })).status).toBe(200)
  server.child.kill('SIGTERM')
  expect(await server.finished).toMatchObject({ code: 0 })
})
