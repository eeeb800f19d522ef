import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { buildApp } from './app.ts'
import { startNightlyBackups } from './backup/nightly.ts'
import { makeBackupDirectory } from './backup/run-backup.ts'
import { type Config, readConfig, settingNotices } from './config.ts'
import { type Connection, connect } from './db/connections/connect.ts'
import type { Db } from './db/db.ts'
import { connectExternal, type OpenDatabase, openDatabase } from './db/open-database.ts'
import { assertReplicas } from './db/replicas.ts'
import { migrate, nameMigrations } from './db/schema/migrate.ts'
import { isBusyOrAway } from './db/sql-state.ts'
import type { DemoPerson } from './demo/fill-demo.ts'
import { readStartArguments } from './process/arguments.ts'
import { requireOwnDirectory, requireRoomToInstall } from './process/command.ts'
import { explain } from './process/explain.ts'
import { firstRun, isSetUpNeeded, requireUsableFirstUser } from './process/first-run.ts'
import { writeOutLog } from './process/health/console-log.ts'
import { withPort } from './process/port.ts'
import { closeSystem, createSystem, type System } from './process/system.ts'
import { buildWebApplication } from './process/web-build.ts'
import { type Place, placeOfWorker, startWorkers } from './process/workers.ts'
import { awayAdvice, belongingOf } from './storage/belonging.ts'
import { startTasks } from './tasks.ts'

// Collects the old generation when the heap has grown by half; by default V8 waits until it is up to four times as large.
setFlagsFromString('--heap-growing-percent=50')

type App = Awaited<ReturnType<typeof buildApp>>

const drainSeconds = 10
/** The shutdown takes this long at most, so that a service manager that allows 40 s need not kill the process. */
const leavingSeconds = 35
/** How long the last lines of the log may take. */
const logMilliseconds = 1000
/** How long the start waits for the storage of attachments. */
const storageSeconds = 5
const { demo } = readStartArguments(process.argv.slice(2))
const say = (line: string) => console.log(line)
/** Clean-up steps for the exit, the newest last. */
const closing: (() => Promise<unknown>)[] = []
/** In development the guard inspects statements, as in the tests, as soon as there are tables. */
let inspect: ((text: string) => void) | undefined
let leaving = false
let askedToLeave = 0
let isStarted = false
let report = (message: string, error?: unknown) => console.error(error === undefined ? message : `${message}: ${(error as Error).message}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // One Ctrl-C comes from the terminal and from npm. A second one exits at once; the watchdog stops PostgreSQL.
    if (leaving && performance.now() - askedToLeave > 1000) process.exit(130)
    if (leaving) return
    askedToLeave = performance.now()
    if (!isStarted && cluster.isPrimary) say('Stopped before it was ready: the next start continues from here.')
    // A terminal's Ctrl-C reaches the workers too, but the first process ends them.
    if (cluster.isWorker && signal === 'SIGINT') return
    void leave(0)
  })
}

// Started by an older Node.js (bin/tessera.mjs), whose end must not leave the server running unseen.
if (cluster.isPrimary && process.connected)
  process.on('disconnect', () => {
    if (!leaving) void leave(0)
  })

// The job queue does not wait for the statement that ends a job: if the connection breaks at that moment, the rejection has no other handler.
// The job stays locked until its lease expires, then runs again.
process.on('unhandledRejection', error => {
  if (!isBusyOrAway(error)) throw error
  report('A statement in the background failed', error)
})

try {
  const place = placeOfWorker()
  await (place ? startWorker(place) : start())
} catch (error) {
  if (!leaving) {
    console.error(explain(error))
    await leave(1)
  }
}

async function start() {
  const began = performance.now()
  const config = await withPort(readConfig(demo ? { ...process.env, TESSERA_DATA: process.env.TESSERA_DATA ?? 'demo-data' } : process.env))
  requireOwnDirectory(config.data)
  await requireRoomToInstall(config)
  for (const notice of settingNotices(config)) say(notice)
  // In development Vite serves the page from its sources.
  const [database] = await Promise.all([open(config), config.development ? undefined : buildWebApplication(say)])
  if (database.notice) say(database.notice)
  await migrateDatabase(config, database)
  if (config.development) inspect = await (await import('./db/guard/statement-guard.ts')).statementGuardOf(database.db)
  const { connection, data } = database
  const { system, app } = await build({ ...config, data }, database.db)
  await nameStorage(system)
  const tasks = await startTasks(system, error => app.log.error({ err: error }, 'background work failed'), app.log)
  closing.push(() => inTime(tasks.stop()))
  const first = demo ? await fillIfEmpty(system) : await firstRun(system)
  if (config.backup.enabled) backUpNightly(system, connection, app)
  if (config.workers > 1) {
    const place = { connection, data, port: config.port, publicUrl: config.publicUrl }
    const workers = await startWorkers(config.workers, place, message => report(message))
    closing.push(() => inTime(workers.stop()))
  } else await listen(app, config)
  if (leaving) return
  isStarted = true
  const processes = config.workers > 1 ? `, ${config.workers} workers` : ''
  // One write, so that a program waiting for the first line gets the other with it.
  const ready = `Tessera is ready at ${config.publicUrl} (${Math.round(performance.now() - began)} ms, data in ${data}${processes}).`
  say(first ? `${ready}\n${first}` : ready)
}

/** One of several processes that share the port: it only answers requests. */
async function startWorker({ connection, data, port, publicUrl }: Place) {
  const config: Config = { ...readConfig(), data, port, publicUrl }
  const onLost = (error: Error) => report('A database connection broke', error)
  const db =
    config.databaseUrl === undefined
      ? connect(connection, { poolSize: config.databasePool, prepare: config.databasePrepare, onLost })
      : connectExternal(config.databaseUrl, config, { onLost })
  closing.push(() => Promise.race([db.destroy(), sleep(3000, undefined, { ref: false })]))
  const { app } = await build(config, db)
  await listen(app, config)
}

async function build(config: Config, db: Db) {
  const system = await createSystem(config, db, (message, error) => report(message, error))
  closing.push(() => closeSystem(system))
  const app = await buildApp(system)
  report = (message, error) => {
    if (!leaving) app.log.warn({ err: error }, message)
  }
  return { system, app }
}

/** A new installation claims its storage; a mismatch is reported at start-up and by `/readyz`. */
async function nameStorage({ db, storage }: System) {
  const away = (reason: string) => ({ state: 'away', advice: awayAdvice(reason) })
  const { state, advice } = await Promise.race([
    belongingOf(db, storage).catch((error: Error) => away(error.message)),
    sleep(storageSeconds * 1000, away(`no answer in ${storageSeconds} seconds`), { ref: false }),
  ])
  if (!leaving && state !== 'own') say(`Attachments: ${advice}.`)
}

async function listen(app: App, { port, host }: Config) {
  closing.push(() => inTime(app.close()))
  await app.listen({ port, host })
}

function backUpNightly(system: System, connection: Connection, app: App) {
  const nightly = startNightlyBackups(
    { ...system, connection },
    {
      onDone: ({ file, bytes, proof }) => app.log.info({ file, bytes, proof }, 'backup written and proven by a restore'),
      onError: error => app.log.error({ err: error }, 'the nightly backup failed'),
    },
  )
  closing.push(() => inTime(nightly.stop()))
}

/** Who can sign in to the demo; stored beside its data, because the passwords are generated only once. */
async function fillIfEmpty(system: System): Promise<string | null> {
  const file = path.join(system.config.data, 'sign-in.json')
  if (await isSetUpNeeded(system.db)) {
    say('Filling the demo, once…')
    const { fillDemo } = await import('./demo/fill-demo.ts')
    await writeFile(file, JSON.stringify(await fillDemo(system), null, 1), { mode: 0o600 })
  }
  const people = JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as DemoPerson[]
  if (people.length === 0) return null
  const rows = people.map(({ login, password, role }) => `  ${login.padEnd(8)} ${password}   ${role}`)
  return ['Sign in as (login, password, who that is):', ...rows].join('\n')
}

function inTime(work: Promise<unknown>) {
  return Promise.race([work, sleep(drainSeconds * 1000, undefined, { ref: false })])
}

async function open(config: Config) {
  const database = await openDatabase(config, {
    report: (message, error) => report(message, error),
    inspect: config.development ? text => inspect?.(text) : undefined,
  })
  closing.push(database.close)
  return database
}

/** Checks what `readConfig` cannot, while the database is still as it was: the previous version can go on with it. */
async function requireUsableSettings(config: Config, db: Db) {
  // The default one is made in the data directory.
  if (config.backup.enabled && config.backup.directory !== undefined) await makeBackupDirectory(config)
  if (!demo && config.firstRun && (await isSetUpNeeded(db))) requireUsableFirstUser(config.firstRun, config)
  await assertReplicas(config.databaseReplicaUrls, db)
}

async function migrateDatabase(config: Config, { connection, data }: OpenDatabase) {
  // No time limits: another process may be migrating, and lock what the checks read.
  const db = connect(connection, { poolSize: 1, noTimeLimits: true })
  try {
    await requireUsableSettings({ ...config, data }, db)
    const { applied } = await migrate(db)
    if (applied.length > 0) say(`Brought the database up to date: ${nameMigrations(applied)}.`)
  } finally {
    await db.destroy()
  }
}

/** Finishes requests in flight, for ten seconds at most, then closes everything, PostgreSQL last. Exits anyway if the database does not answer. */
async function leave(code: number) {
  leaving = true
  // `process.exit` waits for every thread, even for one that is stuck on a disk or a name server. Replacing the process does not wait.
  const shell = '/bin/sh'
  if (existsSync(shell)) process.on('exit', status => process.execve?.(shell, ['sh', '-c', `exit ${status}`]))
  setTimeout(() => {
    console.error('The database does not answer: exiting without closing its connections.')
    process.exit(1)
  }, leavingSeconds * 1000).unref()
  for (const close of closing.reverse()) await close().catch(error => console.error(explain(error)))
  await Promise.race([writeOutLog(), sleep(logMilliseconds)])
  process.exit(code)
}
