import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Call, Response } from '@tessera/contract/call'
import { connstate } from '@tessera/contract/people/session'
import { shapeOf } from '@tessera/contract/shapes'
import { type RawBuilder, sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, inject } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { type Connection, connect, poolOf } from '../../src/db/connections/connect.ts'
import type { Db } from '../../src/db/db.ts'
import { statementGuardOf } from '../../src/db/guard/statement-guard.ts'
import { digest, newToken } from '../../src/http/session-cookie.ts'
import { closeSystem, createSystem, type System } from '../../src/process/system.ts'
import { createDatabase, dropDatabase } from '../postgres/databases.ts'
import { checkDeclaredRows } from '../postgres/declared-rows.ts'

/** Somebody who calls: a user in an organization, with the cookies of their session. */
export interface Caller {
  idUser: number
  orgid: number
  cookies: Record<string, string>
  headers: Record<string, string>
}

/** The Cookie header of a request that is sent without `server.as`. */
export function cookieOf({ cookies }: Pick<Caller, 'cookies'>) {
  return Object.entries(cookies)
    .map(pair => pair.join('='))
    .join('; ')
}

let inspector: Promise<(text: string) => void> | undefined

/** The same for every database of the run: they are copies of one. So a statement that was accepted once is not inspected again. */
function inspectorOf(connection: Connection) {
  const read = async () => {
    const db = connect(connection, { poolSize: 1 })
    try {
      const inspect = await statementGuardOf(db)
      const accepted = new Set<string>()
      return (text: string) => {
        if (accepted.has(text)) return
        inspect(text)
        // Those that are composed from what people search for are without number.
        if (accepted.size < 5000) accepted.add(text)
      }
    } finally {
      await db.destroy()
    }
  }
  inspector ??= read()
  return inspector
}

/** The same database for what a test does beside the product: without inspection of statements and without time limits. */
export function unguarded(db: Db) {
  return connect(
    { ...inject('cluster'), database: poolOf(db).options.database as string },
    { poolSize: 1, prepare: false, noTimeLimits: true },
  )
}

/** Executes a statement beside the product that on a busy machine may take longer than one of the product's own, such as a test's many tickets. */
export async function executeUnlimited<Row>({ db }: TestServer, statement: RawBuilder<Row>) {
  const free = unguarded(db)
  return await statement.execute(free).finally(() => free.destroy())
}

/** Throws unless the answer is what the contract declares, and nothing more. */
function requireDeclared(call: Call, body: unknown) {
  const { path } = call
  const { response } = shapeOf(call)
  const [error] = Value.Errors(response, body)
  if (error) throw new Error(`${path}: ${error.instancePath} ${error.message}`)
  if (!isDeepStrictEqual(Value.Clean(response, structuredClone(body)), body)) throw new Error(`${path} answers more than it declares`)
}

/** The product's HTTP side on a database of its own, a copy of the template, dropped at the end. */
export async function startServer(settings: Record<string, string> = {}, template = inject('template')) {
  const cluster = inject('cluster')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await createDatabase(inject('servers'), database, template)
  const data = mkdtempSync(path.join(tmpdir(), 'tessera-test-data-'))
  const config: Config = readConfig({ LOG_LEVEL: 'silent', NODE_ENV: 'test', TESSERA_DATA: data, ...settings })
  const inspect = await inspectorOf({ ...cluster, database })
  const db = connect({ ...cluster, database }, { poolSize: 8, inspect })
  checkDeclaredRows(db)
  const system: System = await createSystem(config, db)
  const app = await buildApp(system, { withFiles: false })

  /** Opens a session for the user without a password. */
  async function signedIn(idUser: number, orgid: number): Promise<Caller> {
    const token = newToken()
    await sql`insert into session (organization_id, token_hash, user_id) values (${orgid}, ${digest(token)}, ${idUser})`.execute(db)
    const caller: Caller = { idUser, orgid, cookies: { sid: `${orgid}.${token}` }, headers: {} }
    const state = await app.inject({ url: connstate.path, cookies: caller.cookies })
    const csrf = state.cookies.find(({ name }) => name === 'XSRF-TOKEN')
    if (csrf) caller.headers['x-xsrf-token'] = csrf.value
    return caller
  }

  /** Executes a statement beside the product, and returns its rows. */
  async function sqlRows<Row>(...statement: Parameters<typeof sql<Row>>) {
    return (await sql<Row>(...statement).execute(db)).rows
  }

  /** Makes a call; `null` is somebody without a session, who still has a CSRF token. `through` another process when given. */
  async function as<C extends Call>(caller: Caller | null, call: C, input: unknown, headers: Record<string, string> = {}, through = app) {
    const who = caller ?? (await stranger())
    const answer = await through.inject({
      method: call.method,
      url: call.method === 'GET' ? `${call.path}?${new URLSearchParams(input as Record<string, string>)}` : call.path,
      ...(call.method === 'POST' ? { payload: (typeof input === 'string' ? input : JSON.stringify(input)) as string } : {}),
      cookies: who.cookies,
      headers: { ...(call.method === 'POST' ? { 'content-type': 'application/json' } : {}), ...who.headers, ...headers },
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    if (isJson && answer.statusCode === 200) requireDeclared(call, answer.json())
    return {
      status: answer.statusCode,
      body: (isJson ? answer.json() : answer.body) as Response<C>,
      headers: answer.headers,
      cookies: answer.cookies,
    }
  }

  async function stranger(): Promise<Pick<Caller, 'cookies' | 'headers'>> {
    const page = await app.inject({ url: connstate.path })
    const jar = Object.fromEntries(page.cookies.map(({ name, value }) => [name, value]))
    return { cookies: jar, headers: { 'x-xsrf-token': jar['XSRF-TOKEN'] ?? '' } }
  }

  const others: (() => Promise<void>)[] = []
  /** Another process of the same installation: its own pool and application, the same database and, unless set otherwise, the same storage. */
  async function another(changed: Record<string, string> = {}) {
    const otherDb = connect({ ...cluster, database }, { poolSize: 4, inspect })
    checkDeclaredRows(otherDb)
    const otherSystem = await createSystem(
      readConfig({ LOG_LEVEL: 'silent', NODE_ENV: 'test', TESSERA_DATA: data, ...settings, ...changed }),
      otherDb,
    )
    const otherApp = await buildApp(otherSystem, { withFiles: false })
    others.push(async () => {
      await otherApp.close()
      closeSystem(otherSystem)
      await otherDb.destroy()
    })
    return { app: otherApp, system: otherSystem, db: otherDb }
  }

  return {
    app,
    db,
    system,
    sql: sqlRows,
    as,
    signedIn,
    stranger,
    another,
    async [Symbol.asyncDispose]() {
      for (const close of others) await close()
      await app.close()
      closeSystem(system)
      await db.destroy()
      await dropDatabase(inject('servers'), database)
      rmSync(data, { recursive: true, force: true })
    },
  }
}
/** One server for all tests of a file, which make organizations of their own: a start and its connections take a quarter of a second of processor time. */
export async function serverOfFile() {
  const server = await startServer()
  afterAll(() => server[Symbol.asyncDispose]())
  return server
}

export type TestServer = Awaited<ReturnType<typeof startServer>>
export type { Db }
