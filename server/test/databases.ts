import { sql } from 'kysely'
import { type Connection, connect } from '../src/db/db.ts'

/** Runs the statements one after the other on a connection of their own. */
export async function runOn(server: Connection, statements: readonly string[]) {
  const db = connect(server, { poolSize: 1, prepare: false, noTimeLimits: true })
  try {
    for (const statement of statements) await sql.raw(statement).execute(db)
  } finally {
    await db.destroy()
  }
}

/** Creates the database on every server: on the only PostgreSQL, or on the coordinator and the workers of a cluster. */
export async function createDatabase(servers: readonly Connection[], name: string, template?: string) {
  const statement = template === undefined ? `create database ${name}` : `create database ${name} template ${template}`
  await Promise.all(servers.map(server => runOn(server, [statement])))
}

export async function dropDatabase(servers: readonly Connection[], name: string) {
  await Promise.all(servers.map(server => runOn(server, [`drop database if exists ${name} with (force)`])))
}
