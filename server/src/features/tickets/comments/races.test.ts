import { setTicketComment } from '@tessera/contract/tickets/comments'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { buildApp } from '../../../app.ts'
import { connect, poolOf } from '../../../db/connections/connect.ts'
import { sqlState } from '../../../db/sql-state.ts'
import { closeSystem, createSystem } from '../../../process/system.ts'

test('a comment that is added at any moment of an edit of another one waits, and neither is a deadlock', async () => {
  await using server = await startServer()
  const { organization, project, someone } = await peopledProject(server)
  const [ann, bob] = [await someone('all'), await someone('all')]
  const idTicket = await makeTicket(server.db, organization, project)
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'First' })).body

  const additions: Promise<{ status: number }>[] = []
  let settled = 0
  /** Adds a comment, and returns when it is written or waits for a lock. */
  const add = async () => {
    const addition = server.as(bob, setTicketComment, { idTicket, Comment: `Added ${additions.length}` }, {}, app)
    additions.push(addition.finally(() => settled++))
    await expect.poll(async () => settled + (await lockWaits(server.db))).toBe(additions.length)
  }
  const db = connect(poolOf(server.db).options, { poolSize: 4 })
  let isEditing = false
  const deadlocks: unknown[] = []
  poolOf(db).on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    client.query = (async (text: unknown, ...rest: unknown[]) => {
      if (isEditing && /insert into comment_version|update comment|insert into change/.test(String(text))) {
        isEditing = false
        await add()
        isEditing = true
      }
      return query(text, ...rest).catch(error => {
        if (sqlState(error) === '40P01') deadlocks.push(error)
        throw error
      })
    }) as typeof client.query
  })
  const system = await createSystem(server.system.config, db)
  const app = await buildApp(system)

  isEditing = true
  const edit = await server.as(ann, setTicketComment, { idTicket, idComment, Comment: 'Second' }, {}, app)
  isEditing = false
  expect(edit.status).toBe(200)
  expect((await Promise.all(additions)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(deadlocks).toEqual([])
  closeSystem(system)
  await app.close()
  await db.destroy()
})
