import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect as connectTo, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { getTicketData, getTicketList, queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test, vi } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from './fixtures/factories.ts'
import { type Caller, startServer, type TestServer } from './servers/server.ts'

/** A raw request, and its answer without concurrent requests. */
interface Asked {
  request: string
  alone: Buffer
}
interface Person {
  asks: Asked[]
}

const tickets = 110
/** Characters of two, three and four bytes, one that JSON escapes, and a plain one. */
const letters = ['ä', '€', '𝒳', '"', 'x']

/** An organization with two people and a project. Each of its long titles contains the mark of the organization. */
async function makePeople({ db, signedIn }: TestServer, mark: string) {
  const orgid = await makeOrganization(db, `${mark} organization`)
  const project = await makeProject(db, orgid, { title: `${mark} project` })
  const titleOf = (index: number) => `${mark}-${index} ${(letters[index % 5] as string).repeat(100 + ((index * 37) % 250))}`
  const stateIds = Object.values(project.states)
  // One after the other: all at once would wait longer for a connection than the pool allows.
  const ids: number[] = []
  for (let index = 0; index < tickets; index++)
    ids.push(await makeTicket(db, orgid, project, { title: titleOf(index), stateId: stateIds[index % 3] as number }))
  const callers = await Promise.all(
    ['Ann', 'Ben'].map(async fullName => {
      const idUser = await makeUser(db, orgid, { fullName: `${mark} ${fullName}` })
      await makeMember(db, orgid, project.projectId, idUser)
      return signedIn(idUser, orgid)
    }),
  )
  return { mark, idProject: project.projectId, ids, callers }
}

function head(method: string, path: string, { cookies, headers }: Caller, more: Record<string, string> = {}) {
  const all = { host: 'tessera.test', cookie: `sid=${cookies.sid}`, ...headers, ...more }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

function post(caller: Caller, { path }: { path: string }, input: object, more: Record<string, string> = {}) {
  const body = JSON.stringify(input)
  const type = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return head('POST', path, caller, { ...type, ...more }) + body
}

/** The length of the longest part that differs between two equal requests. An answer that was cut off may end within one. */
const longestChance = 64

/** Replaces what differs between two equal requests by dashes: the date, the request's id, the nonces of a page. */
function withoutChance(bytes: Buffer) {
  const chance = /(?<=\bdate: )[^\r]{29}|(?<="requestId":")[^"]{36}|(?<='nonce-)[0-9a-f]{32}/gi
  return Buffer.from(
    bytes.toString('latin1').replaceAll(chance, found => '-'.repeat(found.length)),
    'latin1',
  )
}

/** The length of the answer that these bytes begin with; undefined until it is there. */
function lengthOf(bytes: Buffer, method: string) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  if (method === 'HEAD') return end + 4
  const text = bytes.toString('latin1', 0, end)
  const length = /^content-length: (\d+)/im.exec(text)?.[1]
  if (length !== undefined) return end + 4 + Number(length)
  const last = bytes.indexOf('\r\n0\r\n\r\n', end)
  return last < 0 ? undefined : last + 7
}

function bodyOf(answer: Buffer) {
  const end = answer.indexOf('\r\n\r\n') + 4
  const top = answer.toString('latin1', 0, end)
  if (!/^content-encoding: gzip/im.test(top)) return answer.subarray(end)
  const pieces: Buffer[] = []
  for (let from = end; ; ) {
    const start = answer.indexOf('\r\n', from) + 2
    const length = Number.parseInt(answer.toString('latin1', from, start - 2), 16)
    if (length === 0) return gunzipSync(Buffer.concat(pieces))
    pieces.push(answer.subarray(start, start + length))
    from = start + length + 2
  }
}

test('clients that read slowly, hang up or pipeline get all bytes of their own answers and none of another organization’s', {
  tags: ['long'],
}, async () => {
  await using server = await startServer({ TESSERA_SILENCE_SECONDS: '600' })
  const { app } = server
  /** What the server buffers for each connection, by the port of its client. */
  const held = new Map<number | undefined, { socket: Socket; responses: ServerResponse[] }>()
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const { remotePort } = socket
    const responses = held.get(remotePort)?.responses ?? []
    responses.push(response)
    if (responses.length > 1) return
    held.set(remotePort, { socket, responses })
    socket.once('close', () => held.delete(remotePort))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const open = () =>
    new Promise<Socket>(resolve => {
      const socket = connectTo(port, '127.0.0.1', () => resolve(socket))
    })
  await using sockets = new AsyncDisposableStack()

  const organizations = await Promise.all(['North', 'South'].map(mark => makePeople(server, mark)))

  async function askAlone(request: string) {
    const socket = await open()
    socket.write(request)
    let bytes = Buffer.alloc(0)
    for await (const piece of socket) {
      bytes = Buffer.concat([bytes, piece])
      if (lengthOf(bytes, request.split(' ', 1)[0] as string) === bytes.length) break
    }
    return withoutChance(bytes)
  }

  const people: Person[] = []
  for (const { mark, idProject, ids, callers } of organizations) {
    const other = organizations.find(each => each.mark !== mark)
    for (const caller of callers) {
      const requests = [
        post(caller, queryTickets, { idProject, Limit: 100 }),
        post(caller, getTicketData, { idTicket: ids[7] }),
        post(caller, getTicketList, { idProject }),
        post(caller, queryTickets, { idProject, Sort: [{ Column: 'State', Direction: 'desc' }] }),
        post(caller, getTicketData, { idTicket: other?.ids[7] }),
        post(caller, queryTickets, { idProject, Title: `${mark}-1` }),
        post(caller, queryTickets, { idProject }, { 'accept-encoding': 'gzip' }),
        head('HEAD', queryTickets.path, caller),
        post(caller, getTicketData, { idTicket: ids[11] }),
        post(caller, queryTickets, { idProject: other?.idProject }),
        post(caller, queryTickets, { idProject, Limit: 3 }),
      ]
      const asks: Asked[] = []
      for (const request of requests) {
        const alone = await askAlone(request)
        expect((await askAlone(request)).toString('latin1')).toBe(alone.toString('latin1'))
        asks.push({ request, alone })
      }
      people.push({ asks })
      const bodies = asks.map(({ alone }) => bodyOf(alone).toString())
      expect(bodies.map(body => body.includes(`${mark}-1`))).toEqual([true, false, true, true, false, true, true, false, true, false, true])
      expect(JSON.parse(bodies[6] as string)).toEqual(JSON.parse(bodies[0] as string))
      for (const body of bodies) expect(body).not.toContain(other?.mark)
    }
  }

  /** As many of the person's requests, starting with the one of this number. */
  const turn = (person: number, from: number, many: number) => {
    const { asks } = people[person % people.length] as Person
    return Array.from({ length: many }, (_, index) => asks[(from + index) % asks.length] as Asked)
  }
  const isStuck = (socket: Socket) => (held.get(socket.localPort)?.socket.writableLength ?? 0) > 0
  /** Pipelines requests and waits until the server has written all answers, or as many as the network accepts. */
  async function ask(socket: Socket, asked: Asked[]) {
    const before = held.get(socket.localPort)?.responses.length ?? 0
    socket.write(asked.map(({ request }) => request).join(''))
    await until(() => {
      if (isStuck(socket)) return true
      const responses = held.get(socket.localPort)?.responses.slice(before) ?? []
      return responses.length === asked.length && responses.every(({ writableEnded }) => writableEnded)
    })
  }
  /** Pipelines requests without reading until the network accepts no more answers: the rest stays in the server's memory. */
  async function becomeStuck(socket: Socket, person: number, asked: Asked[] = []) {
    while (!isStuck(socket)) {
      const next = turn(person, asked.length, 8)
      asked.push(...next)
      await ask(socket, next)
    }
    return asked
  }
  const connected = async () => {
    const socket = await open()
    socket.on('error', () => undefined)
    sockets.defer(() => {
      socket.destroy()
    })
    return socket
  }

  const slow = await Promise.all(
    [0, 1, 2, 3, 0, 2].map(async person => {
      const socket = await connected()
      return { socket, person, asked: await becomeStuck(socket, person), read: [] as Buffer[] }
    }),
  )
  for (let round = 0; round < 6; round++) {
    const quick = Array.from({ length: 8 }, async (_, person) => {
      const socket = await connected()
      const asked = turn(person, round, 9)
      const reading = readAnswers(socket, asked, [])
      await ask(socket, asked)
      await reading
      socket.destroy()
    })
    const gone = Array.from({ length: 3 }, async (_, person) => {
      const [atOnce, inTheMiddle, stuck] = await Promise.all([connected(), connected(), connected()])
      const asked = turn(person + round, round, 5)
      for (const socket of [atOnce, inTheMiddle]) socket.write(asked.map(({ request }) => request).join(''))
      await until(() => held.has(atOnce.localPort))
      atOnce.destroy()
      const piece = await piecesOf(inTheMiddle)
      expectAnswers(piece, asked)
      inTheMiddle.resetAndDestroy()
      if (person === 0) await becomeStuck(stuck, round)
      stuck.resetAndDestroy()
    })
    await Promise.all([...quick, ...gone])
    for (const { socket, person, asked, read } of slow) {
      read.push(await piecesOf(socket, 5 + round))
      await becomeStuck(socket, person, asked)
    }
  }
  await Promise.all(slow.map(({ socket, asked, read }) => readAnswers(socket, asked, read)))
})

async function until(isSo: () => boolean) {
  await vi.waitFor(() => expect(isSo()).toBe(true), { timeout: 30_000, interval: 2 })
}

/** The next bytes that the socket has received: this many, or all if there are fewer. */
async function piecesOf(socket: Socket, bytes?: number): Promise<Buffer> {
  for (;;) {
    const piece = socket.read(bytes) ?? socket.read()
    if (piece) return piece
    if (socket.readableEnded || socket.destroyed) throw new Error('The server hung up')
    await once(socket, 'readable', { signal: AbortSignal.timeout(20_000) })
  }
}

function lengthOfAll(asked: Asked[]) {
  return asked.reduce((sum, { alone }) => sum + alone.length, 0)
}

/** Reads the answers to their end, and compares all of them; `read` was read before. */
async function readAnswers(socket: Socket, asked: Asked[], read: Buffer[]) {
  const whole = lengthOfAll(asked)
  let there = Buffer.concat(read).length
  try {
    for (; there < whole; there += (read.at(-1) as Buffer).length) read.push(await piecesOf(socket))
  } catch (error) {
    expectAnswers(Buffer.concat(read), asked)
    throw new Error(`${there} of ${whole} bytes came`, { cause: error })
  }
  expectAnswers(Buffer.concat(read), asked)
  expect([there, socket.read()]).toEqual([whole, null])
}

/** Expects these bytes to be the answers, or the beginning of them. */
function expectAnswers(bytes: Buffer, asked: Asked[]) {
  const whole = lengthOfAll(asked)
  const came = withoutChance(bytes).subarray(0, bytes.length < whole ? -longestChance : whole)
  let start = 0
  for (const { request, alone } of asked) {
    const answer = came.subarray(start, start + alone.length)
    start += alone.length
    if (answer.equals(alone.subarray(0, answer.length))) continue
    const at = answer.findIndex((byte, index) => byte !== alone[index])
    const [is, was] = [answer, alone].map(each => each.toString('utf8', Math.max(0, at - 40), at + 80))
    throw new Error(`${request}\nis answered, from byte ${at} on:\n${is}\ninstead of:\n${was}`)
  }
}
