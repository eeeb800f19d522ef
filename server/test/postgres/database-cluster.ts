import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { connect } from '../../src/db/connections/connect.ts'
import { binariesFor } from '../../src/db/embedded/binaries.ts'
import type { Connection } from '../../src/db/embedded/connection.ts'
import { usableDirectory } from '../../src/db/embedded/data-directory/directory.ts'
import { initialize } from '../../src/db/embedded/data-directory/initialize.ts'
import { lockForLauncher } from '../../src/db/embedded/process/launcher-lock.ts'
import { startEmbedded } from '../../src/db/embedded/start-embedded.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { createCitusTemplate, findCitus } from './citus.ts'
import { dropDatabase, runOn } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    cluster: Connection
    /** Where a database of a test is created: `cluster`, followed by the workers if it is a Citus cluster. */
    servers: Connection[]
    /** A database with the schema and nothing in it, to be copied. */
    template: string
    /** A data directory as initdb leaves it, to be copied. */
    initialized: string
  }
}

const prefix = 'tessera-test-cluster-'
const hour = 3_600_000

/** One PostgreSQL for the whole test run, migrated once: `inject('cluster')`, `inject('template')`. TESSERA_TEST_DATABASE=citus: a Citus cluster. */
export default async function databaseCluster(project: TestProject) {
  if (process.env.TESSERA_TEST_DATABASE === 'citus') return citusCluster(project)
  const initialized = await initializedDirectory()
  const { connection, stop } = await throwAwayCluster()
  const template = 'template_migrated'
  const admin = connect(connection, { poolSize: 1, prepare: false })
  await sql.raw(`create database ${template}`).execute(admin)
  await admin.destroy()
  const db = connect({ ...connection, database: template })
  await migrate(db)
  await db.destroy()
  // The first connection after a migration writes down what every connection reads of the catalog: the copies then have it from the start.
  await runOn({ ...connection, database: template }, ['select 1'])
  project.provide('cluster', connection)
  project.provide('servers', [connection])
  project.provide('template', template)
  project.provide('initialized', initialized.dataDirectory)
  return async () => {
    await stop()
    initialized.remove()
  }
}

async function citusCluster(project: TestProject) {
  const found = findCitus()
  if ('missing' in found) throw new Error(found.missing)
  const { servers } = found
  const template = `template_distributed_${process.pid}`
  await createCitusTemplate(servers, template)
  project.provide('cluster', servers[0])
  project.provide('servers', servers)
  project.provide('template', template)
  const initialized = await initializedDirectory()
  project.provide('initialized', initialized.dataDirectory)
  return async () => {
    initialized.remove()
    await dropDatabase(servers, template)
    found.stop()
  }
}

/** Where a cluster of the run is. As root the server runs under another account, which must get in. */
function newDirectory() {
  const directory = mkdtempSync(path.join(roomiestParent(), prefix))
  chmodSync(directory, 0o711)
  return directory
}

/** What initdb makes. It takes half a second of processor time; a copy of it takes a tenth of that. */
async function initializedDirectory() {
  const { directory, dataDirectory, account } = usableDirectory(newDirectory())
  const lock = lockForLauncher(directory, account)
  await initialize(dataDirectory, { binaries: binariesFor(account, directory), account, durable: false })
  const remove = () => {
    lock.release()
    rmSync(directory, { recursive: true, force: true })
  }
  return { dataDirectory, remove }
}

/** A PostgreSQL in memory where there is room; stopping deletes it. */
export async function throwAwayCluster() {
  removeAbandoned(roomiestParent())
  const directory = newDirectory()
  // One database per test: a shorter pause between vacuums would start a process several times a second.
  const settings = { max_connections: '200', max_wal_size: '256MB', autovacuum_naptime: '1min' }
  const cluster = await startEmbedded({ directory, durable: false, settings })
  const stop = async () => {
    await cluster.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { connection: cluster.connection, stop }
}

/** Memory where it has room: a cluster takes 60 MB, each database 8, and some ten clusters run at once. Docker gives /dev/shm 64 MB. */
export function roomiestParent() {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= 1024 ** 3 ? memory : tmpdir()
}

/** What a killed run left behind; a directory whose run still lives is locked. */
function removeAbandoned(parent: string) {
  for (const name of readdirSync(parent).filter(entry => entry.startsWith(prefix))) {
    const directory = path.join(parent, name)
    try {
      if (Date.now() - statSync(directory).mtimeMs < hour) continue
      lockForLauncher(directory, null).release()
      rmSync(directory, { recursive: true, force: true })
    } catch {
      // another account's, or still in use
    }
  }
}
