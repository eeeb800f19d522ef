import { createNewTemplate, createNewTicketField } from '@tessera/contract/projects/project-config'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { searchTickets } from '@tessera/contract/tickets/search'
import { createNewTicket, getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { handlers } from '../src/handlers/handlers.ts'
import { peopledProject } from './fixtures/worlds/peopled-project.ts'
import { serverOfFile } from './servers/server.ts'

const server = await serverOfFile()

// Names that every object has without being given them: `constructor`, `toString`, …
const names = Object.getOwnPropertyNames(Object.prototype)

test('an address with the name of an object’s member is a page like any other, with or without a session', async () => {
  const session = { sid: `1.${'x'.repeat(43)}` }
  for (const name of names) {
    for (const url of [`/${name}`, `/${name}/1`, `/${encodeURIComponent(name)}?${name}=1`]) {
      for (const cookies of [{}, session, { [name]: '1', ...session }]) {
        const { statusCode, headers } = await server.app.inject({ url, cookies })
        expect([url, statusCode, headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8'])
      }
    }
    for (const url of [`/api/1/private/${name}.json.php`, `/assets/${name}`]) {
      expect([url, (await server.app.inject({ url, cookies: session })).statusCode]).toEqual([url, 404])
    }
  }
})

test('no call accepts the name of an object’s member in its request', async () => {
  const { someone } = await peopledProject(server)
  const ann = await someone('all', { admin: true, super: true })
  // All calls share what refuses it: each is sent a quarter of the names, the next call the next quarter.
  for (const [index, { call }] of Object.values(handlers).entries()) {
    if (call.method !== 'POST') continue
    for (const name of names.filter((_, place) => place % 4 === index % 4)) {
      const { status } = await server.as(ann, call, `{${JSON.stringify(name)}:1}`)
      expect([call.name, name, status]).toEqual([call.name, name, call.name === 'attachment-upload' ? 415 : 400])
    }
  }
})

test('the name of an object’s member is not a date', async () => {
  const { idProject, someone } = await peopledProject(server)
  const ann = await someone('all')
  const day = '2026-11-26'
  for (const name of names) {
    for (const Query of [`created:${name}`, `created:>${name}`, `created:${name}..today`, `phase:active@${name}`])
      expect([Query, (await server.as(ann, searchTickets, { Query })).status]).toEqual([Query, 400])
    for (const [From, To] of [
      [name, day],
      [day, name],
    ])
      expect([From, To, (await server.as(ann, getProjectStatistics, { idProject, From, To })).status]).toEqual([From, To, 400])
  }
})

test('a field may have the name of an object’s member as its key; its value is saved and read like any other', async () => {
  const { idProject, project, someone } = await peopledProject(server)
  const ann = await someone('all')
  const keys = names.filter(name => name !== '__proto__' && name !== 'constructor')
  const ids = []
  for (const DbKey of keys) {
    const { body } = await server.as(ann, createNewTicketField, { idProject, Label: DbKey, DbKey, idControlType: 3 })
    ids.push(body.idField)
  }
  const template = { idProject, Label: 'Odd', idEntryState: project.states.open, Fields: ids }
  const { idTicketTemplate: idTemplate } = (await server.as(ann, createNewTemplate, template)).body
  const [idTicket = 0] = (await server.as(ann, createNewTicket, { idProject, idTemplate, Title: 'Odd' })).body
  const [first = '', ...others] = keys
  const stored = async () =>
    Object.fromEntries((await server.as(ann, getTicketData, { idTicket })).body.Fields.map(({ Key, Value }) => [Key, Value]))
  // Only one is sent: the others must not count as sent, although every object has them.
  expect(await server.as(ann, setTicketData, { idTicket, data: { [first]: 'one' } })).toMatchObject({ status: 200 })
  expect(await stored()).toEqual({ ...Object.fromEntries(others.map(key => [key, ''])), [first]: 'one' })
  const all = Object.fromEntries(keys.map((key, at) => [key, `value ${at}`]))
  expect(await server.as(ann, setTicketData, { idTicket, data: all })).toMatchObject({ status: 200 })
  expect(await stored()).toEqual(all)
  for (const refused of ['__proto__', 'constructor', 'prototype']) {
    const answer = await server.as(ann, createNewTicketField, { idProject, Label: 'x', DbKey: refused, idControlType: 3 })
    expect(answer.status, refused).toBe(400)
    const data = `{"idTicket":${idTicket},"data":{"${refused}":"x"}}`
    expect((await server.as(ann, setTicketData, data)).status, refused).not.toBe(200)
  }
})
