import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { connect } from '../src/db/db.ts'
import { createCitusDatabase, findCitus } from './citus.ts'
import { dropDatabase } from './databases.ts'
import { startProcess, temporaryDirectory, tessera } from './process.ts'
import { fillOrganizations } from './torture/filled-cluster.ts'

// The short version; the server's tests on a cluster: TESSERA_TEST_DATABASE=citus npx vitest run --project server.
const citus = findCitus()
if ('missing' in citus) console.log(`The test on a Citus cluster was left out: ${citus.missing}.`)

afterAll(() => {
  if ('servers' in citus) citus.stop()
})

test.skipIf('missing' in citus)(
  'a filled database is distributed in one go, keeps every row, and serves people afterwards',
  async () => {
    if ('missing' in citus) return
    const { servers } = citus
    const [coordinator] = servers
    if (!coordinator) throw new Error('The cluster has no coordinator')
    const name = `tessera_${randomUUID().replaceAll('-', '')}`
    using data = temporaryDirectory()
    const settings = {
      TESSERA_DATA: data.folder,
      DATABASE_URL: `postgres://${coordinator.user}@${coordinator.host}:${coordinator.port}/${name}`,
    }
    await createCitusDatabase(servers, name)
    try {
      expect(await tessera(settings, 'migrate')).toMatchObject({ code: 0 })
      const db = connect({ ...coordinator, database: name }, { poolSize: 1, noTimeLimits: true })
      const [organization] = await fillOrganizations(db, 3, 20).finally(() => db.destroy())
      if (!organization) throw new Error('No organization was filled')
      const before = await contents(coordinator, name)
      const distributed = await tessera(settings, 'distribute')
      expect(distributed).toMatchObject({ code: 0, output: expect.stringMatching(/Distributing ticket …[\s\S]*Distributed \d+ tables/) })
      expect(await contents(coordinator, name)).toEqual(before)
      expect(await tessera(settings, 'distribute')).toMatchObject({ code: 0, output: expect.stringContaining('distributed already') })

      await using serving = startProcess(settings)
      const address = await serving.ready()
      const call = caller(address)
      const signedIn = await call('authenticate', { user: organization.login, pass: 'correct horse battery', orgid: organization.id })
      expect(signedIn).toMatchObject({ status: 200, body: { auth: 1 } })
      const { projectId: idProject } = organization
      const list = await call('query-tickets', { idProject })
      expect(list).toMatchObject({
        status: 200,
        body: { Tickets: expect.arrayContaining([expect.objectContaining({ id: expect.any(Number) })]) },
      })
      const { id: idTicket } = list.body.Tickets[0]
      const ticket = await call('get-ticket-data', { idTicket })
      expect(ticket.status).toBe(200)
      const made = await call('create-new-ticket', { idProject, idTemplate: ticket.body.idTemplate, Title: 'Made on a worker' })
      expect(made).toMatchObject({ status: 200, body: [expect.any(Number)] })
      const below = await call('create-new-ticket', {
        idProject,
        idTemplate: ticket.body.idTemplate,
        Title: 'Below it',
        idParent: made.body[0],
      })
      expect(below).toMatchObject({ status: 200, body: [expect.any(Number)] })
      expect(await call('set-ticket-data', { idTicket: made.body[0], Title: 'Saved on a worker' })).toMatchObject({ status: 200 })
      expect(await call('set-ticket-comment', { idTicket: made.body[0], Comment: 'Heard' })).toMatchObject({ status: 200 })
      expect(await call('get-ticket-data', { idTicket: made.body[0] })).toMatchObject({ status: 200, body: { Title: 'Saved on a worker' } })
    } finally {
      await dropDatabase(servers, name)
    }
  },
  180_000,
)

/** The number of rows of each table, and a digest of the tickets. */
async function contents(coordinator: Parameters<typeof connect>[0], database: string) {
  const db = connect({ ...coordinator, database }, { poolSize: 1, noTimeLimits: true })
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`.execute(db)
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      if (['throttle', 'session'].includes(name)) continue
      const { rows } = await sql<{ count: number }>`select count(*)::int from ${sql.table(name)}`.execute(db)
      counts[name] = rows[0]?.count ?? 0
    }
    const { rows: titles } = await sql<{ id: number; title: string }>`select id, title from ticket order by id`.execute(db)
    return { counts, titles }
  } finally {
    await db.destroy()
  }
}

/** A browser's way of calling: the cookies and the token against forged requests come along. */
function caller(address: string) {
  const cookies = new Map<string, string>()
  const keep = (answer: Response) => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
  return async (path: string, input: unknown) => {
    if (cookies.size === 0) keep(await fetch(`${address}/api/1/private/connstate.json.php`))
    const answer = await fetch(`${address}/api/1/private/${path}.json.php`, {
      method: 'POST',
      headers: {
        cookie: [...cookies].map(pair => pair.join('=')).join('; '),
        'content-type': 'application/json',
        'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
      },
      body: JSON.stringify(input),
    })
    keep(answer)
    // biome-ignore lint/suspicious/noExplicitAny: the answers are compared, not used by type.
    return { status: answer.status, body: (await answer.json()) as any }
  }
}
