import { setTimeout as sleep } from 'node:timers/promises'
import { createCalendarFeed } from '@tessera/contract/projects/calendar-feeds'
import { searchTickets } from '@tessera/contract/tickets/search'
import { expect, test } from 'vitest'
import { makeField } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('feeds take turns apart from what their owners do, wait longer than a connection may be silent, and prove the rights again', async () => {
  await using server = await startServer({ TESSERA_SILENCE_SECONDS: '1' })
  const { organization, project, idProject, someone } = await peopledProject(server)
  await makeField(server.db, organization, project, 'due', 'DATE')
  const people = [await someone([1]), await someone([1]), await someone([1])] as const
  const [ann, bob, eve] = people
  const paths: string[] = []
  for (const who of people) {
    const { body } = await server.as(who, createCalendarFeed, { idProject, Name: 'Due', Field: 'due' })
    paths.push(new URL(body.Address).pathname)
  }
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const answered: string[] = []
  const read = async (name: string, path = '') => {
    const { status } = await fetch(origin + path)
    answered.push(name)
    return status
  }
  const [annIsRead, anotherIsRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = server.system.feedInTurn(ann.idUser, () => annIsRead.promise)
  const ofAnn = read('ann', paths[0])
  // One feed of a person does not keep those of others waiting.
  expect(await read('bob', paths[1])).toBe(200)

  const alsoHeld = server.system.feedInTurn(-1, () => anotherIsRead.promise)
  const [ofBob, ofEve] = [read('bob', paths[1]), read('eve', paths[2])]
  for (const who of [ann, bob]) expect((await server.as(who, searchTickets, { Query: 'ticket' })).status).toBe(200)
  await sleep(2500) // Longer than a silent client keeps its connection.
  expect(answered).toEqual(['bob'])
  await server.sql`
    delete from project_member where organization_id = ${organization} and project_id = ${idProject} and user_id = ${eve.idUser}`

  annIsRead.resolve()
  anotherIsRead.resolve()
  await Promise.all([held, alsoHeld])
  expect(await Promise.all([ofAnn, ofBob, ofEve])).toEqual([200, 200, 404])
})
