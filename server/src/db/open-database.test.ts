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
