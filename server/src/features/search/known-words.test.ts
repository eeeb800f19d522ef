import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeOrganization, makeProject } from '../../../test/factories.ts'
import { startServer, unguarded } from '../../../test/server.ts'

test('a word is looked up by its key, also by a session that began when no word was known', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const { projectId } = await makeProject(server.db, organization)
  const db = unguarded(server.db)
  // Long words: their index has more pages than one of numbers, which made that one look cheaper.
  await sql`
    select search_learn(${organization}, ${projectId}, (
      select string_agg(lpad(translate((text * 40 + word)::text, '0123456789', 'abcdefghij'), 36, 'x'), ' ') from generate_series(1, 40) word))
    from generate_series(1, 100) text`.execute(db)
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ known: number; read: number }>`
    select n_tup_ins::int as known, (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'search_word'))::int as read
    from pg_stat_user_tables where relname = 'search_word'`.execute(db)
  await db.destroy()
  expect(rows[0]?.known).toBe(4000)
  expect(rows[0]?.read).toBeLessThan(4000)
})
