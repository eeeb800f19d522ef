import { randomUUID } from 'node:crypto'
import type { Call } from '@tessera/contract/call'
import { queryBoard } from '@tessera/contract/tickets/board'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { searchTickets } from '@tessera/contract/tickets/search'
import { createNewTicket, getTicketData, getTicketList, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { type Connection, connect } from '../src/db/connections/connect.ts'
import { closeSystem, createSystem } from '../src/process/system.ts'
import { createCitusDatabase, findCitus } from './postgres/citus.ts'
import { tasksOf } from './postgres/citus-tasks.ts'
import { dropDatabase } from './postgres/databases.ts'
import { tessera } from './servers/command.ts'
import { startProcess, temporaryDirectory } from './servers/process.ts'
import { recordStatements } from './statements/record-statements.ts'
import { contentsOf, fillOrganizations } from './torture/tools/filled-cluster.ts'
import { browser } from './torture/tools/product.ts'

// The short version; the server's tests on a cluster: TESSERA_TEST_DATABASE=citus npx vitest run --project server.
const citus = findCitus()
if ('missing' in citus) console.log(`The test on a Citus cluster was left out: ${citus.missing}.`)

afterAll(() => {
  if ('servers' in citus) citus.stop()
})

const password = 'correct horse battery'

test.skipIf('missing' in citus)(
  'a filled database is distributed in one go, keeps every row, and serves people afterwards, each hot call from one shard',
  { tags: ['long'], timeout: 180_000 },
  async () => {
    if ('missing' in citus) return
    const { servers } = citus
    const [coordinator] = servers
    const name = `tessera_${randomUUID().replaceAll('-', '')}`
    const connection = { ...coordinator, database: name }
    using data = temporaryDirectory()
    const settings = {
      TESSERA_DATA: data.folder,
      DATABASE_URL: `postgres://${coordinator.user}@${coordinator.host}:${coordinator.port}/${name}`,
    }
    await createCitusDatabase(servers, name)
    try {
      expect(await tessera(settings, 'migrate')).toMatchObject({ code: 0 })
      const db = connect(connection, { poolSize: 1, noTimeLimits: true })
      // The person of the first one is a super user, who is asked for an organization.
      const [, organization] = await fillOrganizations(db, 3, 20).finally(() => db.destroy())
      if (!organization) throw new Error('No organization was filled')
      const before = await contentsOf(connection)
      const distributed = await tessera(settings, 'distribute')
      expect(distributed).toMatchObject({ code: 0, output: expect.stringMatching(/Distributing ticket …[\s\S]*Distributed \d+ tables/) })
      expect(await contentsOf(connection)).toEqual(before)
      expect(await tessera(settings, 'distribute')).toMatchObject({ code: 0, output: expect.stringContaining('already distributed') })

      await using serving = startProcess(settings)
      const address = await serving.ready()
      const person = browser(() => address)
      await person.signIn(organization.login, password)
      const { projectId: idProject, first: idTicket, template: idTemplate } = organization
      expect(await person.post(queryTickets, { idProject })).toMatchObject({ status: 200, body: { Total: 14 } })
      const made = await person.post(createNewTicket, { idProject, idTemplate, Title: 'Made on a worker' })
      expect(made).toMatchObject({ status: 200, body: [expect.any(Number)] })
      const [root] = made.body as [number]
      const below = await person.post(createNewTicket, { idProject, idTemplate, Title: 'Below it', idParent: root })
      expect(below).toMatchObject({ status: 200, body: [expect.any(Number)] })
      expect(await person.post(setTicketData, { idTicket: root, Title: 'Saved on a worker' })).toMatchObject({ status: 200 })
      expect(await person.post(setTicketComment, { idTicket: root, Comment: 'Heard' })).toMatchObject({ status: 200 })
      expect(await person.post(getTicketData, { idTicket: root })).toMatchObject({ status: 200, body: { Title: 'Saved on a worker' } })

      const hot: [Call, object][] = [
        [queryTickets, { idProject }],
        [queryTickets, { idProject, Columns: ['Assignees', 'Labels', 'Updated'] }],
        [getTicketList, { idProject, idParent: root }],
        [getTicketData, { idTicket }],
        [setTicketData, { idTicket, Title: 'Another title' }],
        [createNewTicket, { idProject, idTemplate, Title: 'New' }],
        [createNewTicket, { idProject, idTemplate, Title: 'New below', idParent: root }],
        [setTicketComment, { idTicket, Comment: 'Once more' }],
        [queryBoard, { idProject, Group: 'State', Columns: ['Assignees'] }],
        [searchTickets, { idProject, Query: '"ticket number"' }],
        [searchTickets, { Query: 'number 7' }],
      ]
      expect(await tasksOfCalls(connection, data.folder, organization.login, hot)).toEqual(
        hot.map(([{ name: call }]) => ({ call, most: 1 })),
      )
    } finally {
      await dropDatabase(servers, name)
    }
  },
)

/** The tasks into which the widest part of each call's statements is divided: one for each shard that is asked. */
async function tasksOfCalls(connection: Connection, folder: string, login: string, calls: readonly [Call, object][]) {
  const db = connect(connection, { poolSize: 1 })
  const own = connect(connection, { poolSize: 1, prepare: false, noTimeLimits: true })
  const recorder = recordStatements(db)
  const system = await createSystem(readConfig({ LOG_LEVEL: 'silent', NODE_ENV: 'test', TESSERA_DATA: folder }), db)
  const app = await buildApp(system)
  try {
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const person = browser(() => address)
    await person.signIn(login, password)
    const found = []
    for (const [call, input] of calls) {
      recorder.start()
      expect(await person.post(call, input as never)).toMatchObject({ status: 200 })
      const sent = recorder
        .stop()
        .filter(({ text }) => !/^\s*(select pg_notify|begin|commit|\/\*.*\*\/ (set local|select set_config))/.test(text))
      const tasks = []
      for (const statement of sent) tasks.push(...(await tasksOf(own, statement)))
      found.push({ call: call.name, most: Math.max(...tasks) })
    }
    return found
  } finally {
    await app.close()
    closeSystem(system)
    await own.destroy()
    await db.destroy()
  }
}
