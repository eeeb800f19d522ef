import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Response as Answered, Call, Request } from '@tessera/contract/call'
import { authenticate, connstate } from '@tessera/contract/people/session'
import { type Connection, connect } from '../../../src/db/connections/connect.ts'
import { runningServer } from '../../../src/db/embedded/running-server.ts'
import { hashPassword } from '../../../src/lib/passwords/passwords.ts'
import { type MadeProject, makeMember, makeOrganization, makeProject, makeUser } from '../../fixtures/factories.ts'
import { copyInitialized } from '../../postgres/embedded.ts'
import { startProcess, temporaryDirectory } from '../../servers/process.ts'

/** How often a loop runs: `short` in the test suite, more by `npm run torture:<name>`. */
export function rounds(short: number) {
  return Number(process.env.TORTURE_ROUNDS ?? short)
}

/** A limit on time, as promised in the full run; a short one shares its machine with other tests. */
export function within(milliseconds: number) {
  return process.env.TORTURE_ROUNDS === undefined ? milliseconds * 4 : milliseconds
}

export function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

export interface Answer<Body = unknown> {
  /** 0 when the connection broke. */
  status: number
  body: Body
  retryAfter: string | null
  milliseconds: number
}

/** A browser: keeps its cookies, sends its CSRF token. `address` is called for each request. */
export function browser(address: () => string) {
  const jar = new Map<string, { value: string; until: number }>()
  const cookie = () => {
    const now = Date.now()
    return [...jar].flatMap(([name, { value, until }]) => (until > now ? `${name}=${value}` : [])).join('; ')
  }

  async function send(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Answer> {
    const started = performance.now()
    const headers = {
      cookie: cookie(),
      'x-xsrf-token': jar.get('XSRF-TOKEN')?.value ?? '',
      ...init.headers,
    }
    const over = () => Math.round(performance.now() - started)
    try {
      const answer = await fetch(`${address()}${path}`, { signal: AbortSignal.timeout(60_000), ...init, headers })
      const text = await answer.text()
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        const [, seconds = Infinity] = /; Max-Age=(\d+)/i.exec(line) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, { value, until: Date.now() + Number(seconds) * 1000 })
      }
      const isJson = answer.headers.get('content-type')?.includes('json')
      return {
        status: answer.status,
        body: isJson ? JSON.parse(text) : text,
        retryAfter: answer.headers.get('retry-after'),
        milliseconds: over(),
      }
    } catch {
      return { status: 0, body: null, retryAfter: null, milliseconds: over() }
    }
  }

  return {
    send,
    post: <C extends Call>(call: C, input: Request<C>, headers: Record<string, string> = {}) =>
      send(call.path, {
        method: 'POST',
        body: JSON.stringify(input),
        headers: { 'content-type': 'application/json', ...headers },
      }) as Promise<Answer<Answered<C>>>,
    upload(path: string, idTicket: number, name: string, content: Buffer) {
      const form = new FormData()
      form.set('idTicket', String(idTicket))
      form.set('file', new Blob([new Uint8Array(content)], { type: 'image/jpeg' }), name)
      return send(path, { method: 'POST', body: form }) as Promise<Answer<{ id: number; name: string }>>
    },
    /** Also the headers another client needs to be this one. */
    headers: () => ({ cookie: cookie(), 'x-xsrf-token': jar.get('XSRF-TOKEN')?.value ?? '' }),
    async signIn(user: string, pass: string) {
      await send(connstate.path)
      const answer = (await this.post(authenticate, { user, pass })) as Answer<{ auth: number }>
      if (answer.body?.auth !== 1) throw new Error(`cannot sign in: ${JSON.stringify(answer)}`)
    },
  }
}
export type Browser = ReturnType<typeof browser>

interface Settings {
  folder?: string
  settings?: Record<string, string>
}

/** The real product in its own process, with its own data; `restart` after a kill keeps the data. */
export async function startProduct({ folder, settings = {} }: Settings = {}) {
  const place = folder === undefined ? temporaryDirectory() : undefined
  const data = folder ?? (place as { folder: string }).folder
  if (place) copyInitialized(data)
  // Notices of changes stay in the outbox, where the checks look for them.
  const all = { TESSERA_DATA: data, LOG_LEVEL: 'error', TESSERA_NOTIFICATION_SECONDS: '3600', ...settings }
  let run = startProcess(all)
  let address = await run.ready()
  return {
    data,
    get process() {
      return run
    },
    address: () => address,
    /** The bundled database of the running process. */
    connection(): Connection {
      const running = runningServer(data)
      if (!running) throw new Error('PostgreSQL does not run')
      return running.connection
    },
    /** Milliseconds from the kill until it serves again. */
    async killAndRestart() {
      const started = performance.now()
      run.child.kill('SIGKILL')
      await run.finished
      run = startProcess(all)
      address = await run.ready()
      await isReady(address)
      return Math.round(performance.now() - started)
    },
    async [Symbol.asyncDispose]() {
      await run[Symbol.asyncDispose]()
      place?.[Symbol.dispose]()
    },
  }
}

async function isReady(address: string) {
  const answer = await fetch(`${address}/readyz`)
  if (!answer.ok) throw new Error(`reported ready, but /readyz answers ${answer.status}: ${await answer.text()}`)
}

const readyTimeout = 60_000

/** Milliseconds until /readyz is green. */
export async function untilReady(address: string) {
  const started = performance.now()
  for (;;) {
    const answer = await fetch(`${address}/readyz`)
    const text = await answer.text()
    if (answer.ok) return Math.round(performance.now() - started)
    if (performance.now() - started > readyTimeout) throw new Error(`not ready after ${readyTimeout} ms: ${text}`)
    await sleep(10)
  }
}

const pass = 'correct horse battery'

export interface Staff {
  organization: number
  project: MadeProject
  people: Browser[]
}

/** An organization with a project and so many administrators who have signed in. */
export async function hire(address: () => string, connection: Connection, count: number): Promise<Staff> {
  const db = connect(connection, { poolSize: 2, noTimeLimits: true })
  try {
    const organization = await makeOrganization(db)
    const project = await makeProject(db, organization)
    const passwordHash = await hashPassword(pass)
    const people: Browser[] = []
    for (let number = 0; number < count; number++) {
      const login = `person-${number}-${randomUUID().slice(0, 8)}`
      const id = await makeUser(db, organization, { login, passwordHash, admin: true })
      await makeMember(db, organization, project.projectId, id, 'all')
      const person = browser(address)
      await person.signIn(login, pass)
      people.push(person)
    }
    return { organization, project, people }
  } finally {
    await db.destroy()
  }
}
