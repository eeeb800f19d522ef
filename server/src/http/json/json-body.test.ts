import { type AddressInfo, connect } from 'node:net'
import { limits } from '@tessera/contract/limits'
import { setUserData } from '@tessera/contract/people/profile'
import { authenticate } from '@tessera/contract/people/session'
import { setTicketField, setTicketFieldOrder } from '@tessera/contract/projects/project-config'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, onTestFinished, test } from 'vitest'
import { makeTicket } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { type Caller, cookieOf, serverOfFile } from '../../../test/servers/server.ts'
import { isDeeperThan } from './json-body.ts'

const server = await serverOfFile()
await server.app.listen({ port: 0 })

/** Each character as `\uXXXX`, as some programs write every text that is not ASCII. */
function escapedJson(value: unknown) {
  return JSON.stringify(value).replaceAll(/[^ -~]/gu, character =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

test('bodies within the limits of texts and lists are accepted, however they are escaped', async () => {
  const { organization, project, someone } = await peopledProject(server)
  const ann = await someone('all')
  const idTicket = await makeTicket(server.db, organization, project)
  const { projectId: idProject, fields } = project
  const Comment = `x${'\u0001'.repeat(limits.comment - 1)}`
  const note = '\u0001'.repeat(limits.fieldValue)
  // All options of a project together are limited too.
  const FieldProps = Array.from({ length: limits.optionsPerField }, (_, at) => ({
    value: `${at} ${'😀'.repeat(limits.name - 10)}`,
    label: String(at),
  }))
  for (const [call, input, status] of [
    [setTicketComment, { idTicket, Comment }, 200],
    [setTicketData, { idTicket, data: { note }, Title: '😀'.repeat(limits.ticketTitle) }, 200],
    [setTicketField, { idProject, idField: fields.size, FieldProps: [...FieldProps.slice(2), { value: 's', label: 'S' }] }, 200],
    // Nobody has as many fields: ids that do not exist.
    [setTicketFieldOrder, { idProject, SortOrder: Array.from({ length: limits.list }, (_, at) => Number.MAX_SAFE_INTEGER - at) }, 404],
  ] as const) {
    const answer = await server.as(ann, call, escapedJson(input))
    expect(answer, call.name).toMatchObject({ status })
  }
  // A comment has no use for more than its own limit.
  const over = { idTicket, Comment: 'x'.repeat(500_000) }
  expect(await server.as(ann, setTicketComment, over)).toMatchObject({ status: 413, body: { code: 'too_large' } })
})

/** Sends the start of a request and nothing more; returns the status of what is answered, 0 when nothing is. */
async function answerToStart(path: string, who: Pick<Caller, 'cookies' | 'headers'>, length: string, body = '') {
  const { port } = server.app.server.address() as AddressInfo
  const headers = { host: 'x', 'content-type': 'application/json', cookie: cookieOf(who), ...who.headers }
  const lines = [...Object.entries(headers).map(pair => pair.join(': ')), length]
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', reject)
  socket.on('close', () => resolve(0))
  socket.once('data', data => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1])))
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  return promise.finally(() => socket.destroy())
}

const announced = (bytes: number) => `content-length: ${bytes}`
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'['.repeat(bytes)}\r\n`

test('a body that is too large is refused before the rest of it is sent, with a Content-Length or chunked', async () => {
  const stranger = await server.stranger()
  const { path } = authenticate
  expect(await answerToStart(path, stranger, announced(1_900_000))).toBe(413)
  expect(await answerToStart(path, stranger, announced(limits.body + 1))).toBe(413)
  expect(await answerToStart(path, stranger, 'transfer-encoding: chunked', chunk(limits.body + 1))).toBe(413)
  // As much as may be, and too deep.
  expect(await answerToStart(path, stranger, announced(limits.body), '['.repeat(limits.body))).toBe(400)
})

test('a client that sends all of a body that is too large gets the answer, and may go on with the same connection', async () => {
  const stranger = await server.stranger()
  const { port } = server.app.server.address() as AddressInfo
  const headers = { host: 'x', 'content-type': 'application/json', cookie: cookieOf(stranger), ...stranger.headers }
  const head = Object.entries(headers).map(pair => pair.join(': '))
  const start = (length: string) => `POST ${authenticate.path} HTTP/1.1\r\n${[...head, length].join('\r\n')}\r\n\r\n`
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  const statusOfAnswer = () =>
    new Promise(resolve => {
      socket.once('data', data => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1])))
      socket.once('close', () => resolve('closed'))
    })
  for (const [length, rest] of [
    [announced(5_000_000), ' '.repeat(5_000_000)],
    ['transfer-encoding: chunked', `${chunk(5_000_000)}0\r\n\r\n`],
  ] as const) {
    socket.write(`${start(length)}${rest.slice(0, limits.body * 2)}`)
    expect(await statusOfAnswer()).toBe(413)
    socket.write(rest.slice(limits.body * 2))
    socket.write(`${start(announced(2))}{}`)
    expect(await statusOfAnswer(), length).toBe(400)
  }
})

test('without a session no body above the general limit is read', async () => {
  const { someone } = await peopledProject(server)
  const ann = await someone('all')
  const { path } = setTicketComment
  const madeUp = await server.signedIn(ann.idUser, ann.orgid)
  await server.sql`delete from session where organization_id = ${ann.orgid} and user_id = ${ann.idUser}`
  expect(await answerToStart(path, madeUp, announced(100_000))).toBe(403)
  expect(await answerToStart(path, madeUp, 'transfer-encoding: chunked', chunk(100))).toBe(403)
})

test('a body that is not UTF-8, or compressed, is refused, and nothing of it is stored', async () => {
  const ann = await (await peopledProject(server)).someone('all')
  const send = (payload: Buffer, type = 'application/json', encoding?: string) =>
    server.app.inject({
      method: 'POST',
      url: setUserData.path,
      payload,
      cookies: ann.cookies,
      headers: { ...ann.headers, 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
    })
  const latin = Buffer.from('{"FullName":"Andr\xe9"}', 'latin1')
  for (const type of ['application/json', 'application/json; charset=iso-8859-1']) {
    expect((await send(latin, type)).json()).toMatchObject({ code: 'invalid', fields: [{ path: 'body', message: 'must be UTF-8' }] })
  }
  for (const [encoding, status] of [
    ['gzip', 415],
    ['identity', 200],
  ] as const)
    expect((await send(Buffer.from('{"FullName":"Ann"}'), 'application/json', encoding)).statusCode).toBe(status)
  expect((await send(Buffer.from('{"FullName":"André"}'))).statusCode).toBe(200)
})

test('every call refuses JSON that is nested too deep', async () => {
  const deep = (levels: number) => `{"user":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},"pass":"x"}`
  const tooDeep = { status: 400, body: { fields: [{ path: 'body', message: 'must not be nested deeper than 8' }] } }
  expect(await server.as(null, authenticate, deep(9))).toMatchObject(tooDeep)
  expect(await server.as(null, authenticate, deep(8))).toMatchObject({ status: 400, body: { fields: [{ path: 'user' }] } })
})

test.each([
  ['[[]]', 1, true],
  ['[[]]', 2, false],
  ['[{"a":[]}]', 2, true],
  ['[[],[],[],{},{}]', 2, false],
  ['"[[[["', 1, false],
  ['["\\"[[[","\\\\",[]]', 2, false],
  ['["\\\\",[[]]]', 2, true],
  ['["never ends [[[', 1, false],
  [']]]][[', 1, false],
])('%s is deeper than %i: %s', (json, most, isDeeper) => {
  expect(isDeeperThan(most, json)).toBe(isDeeper)
})
