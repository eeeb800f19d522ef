import { readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../../test/servers/process.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from './open-database.ts'

// It makes a cluster, on busy machines.
vi.setConfig({ testTimeout: 120_000 })

test('a command that started the bundled PostgreSQL leaves it running for another that joined, until that one is done', async () => {
  using place = temporaryDirectory()
  const config = readConfig({ TESSERA_DATA: place.folder })
  const lines: string[] = []
  const owner = await openDatabase(config, { join: true, onWait: () => lines.push('waits') })
  const joined = await openDatabase(config, { join: true })
  expect([owner.shared, joined.shared]).toEqual([false, true])
  const slow = sql`select pg_sleep(1.5)`.execute(joined.db)
  await sql`select 1`.execute(joined.db)
  const closed = owner.close()
  await slow
  // Between two statements it is not done either.
  await sql`select 1`.execute(joined.db)
  await joined.close()
  await closed
  expect(lines).toEqual(['waits'])
})

test('the end does not wait for the next attempt to start a database that has disappeared', { tags: ['long'] }, async () => {
  using place = temporaryDirectory()
  const lines: string[] = []
  const { data, close } = await openDatabase(readConfig({ TESSERA_DATA: place.folder }), { report: line => void lines.push(line) })
  const database = path.join(data, 'postgres')
  const [pid = ''] = readFileSync(path.join(database, 'postmaster.pid'), 'utf8').split('\n')
  renameSync(database, path.join(place.folder, 'elsewhere'))
  process.kill(Number(pid), 'SIGQUIT')
  // The pause after the seventh attempt is of 6.4 s.
  await expect.poll(() => lines.filter(line => line.includes('does not start')).length, { timeout: 30_000 }).toBe(7)
  const began = performance.now()
  await close()
  expect(performance.now() - began).toBeLessThan(4000)
})
