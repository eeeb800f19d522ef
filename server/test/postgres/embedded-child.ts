/**
 * A node process that tests may kill: starts the bundled PostgreSQL on the directory of its first argument and prints one JSON line,
 * the connection or the error. With a second argument `write` it then inserts row after row and prints each number once acknowledged.
 */
import pg from 'pg'
import { startEmbedded } from '../../src/db/embedded/start-embedded.ts'

const [directory = '', task] = process.argv.slice(2)
process.umask(0o077)
try {
  const { connection, dataDirectory, notice, tookOver, stop } = await startEmbedded({ directory })
  process.once('SIGTERM', () => stop().then(() => process.exit(0)))
  console.log(JSON.stringify({ connection, dataDirectory, notice, tookOver, uid: process.getuid?.() }))
  if (task === 'write') await write(connection)
  else setInterval(() => {}, 60_000)
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }))
}

async function write(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('create table if not exists acknowledged (number integer primary key)')
  for (let number = 1; ; number++) {
    await client.query('insert into acknowledged values ($1)', [number])
    process.stdout.write(`${number}\n`)
  }
}
