import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { loadModule, parseSync } from 'libpg-query'
import { expect, inject, test } from 'vitest'
import { temporaryDirectory } from '../../../test/postgres/embedded.ts'
import { connect } from '../connections/connect.ts'
import type { Db } from '../db.ts'
import { migrate, migrationNames, statementsOf } from './migrate.ts'

/** The time limits of a connection of the pool. In a pool of one it is the connection that migrated. */
async function timeLimits(db: Db) {
  const { rows } = await sql<{ setting: string }>`
    select current_setting(name) as setting from unnest(array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) as name`.execute(
    db,
  )
  return rows.map(({ setting }) => setting)
}

test.each([
  { pool: 'the pool of an import or a backup', noTimeLimits: true, limits: ['0', '0', '0'] },
  { pool: 'the pool that answers requests', noTimeLimits: false, limits: ['6s', '5s', '30s'] },
])('after the migrations $pool has the limits on time it began with', async ({ noTimeLimits, limits }) => {
  const cluster = inject('cluster')
  const [database, role] = [`migrated_${randomUUID().replaceAll('-', '')}`, `limited_${randomUUID().slice(0, 8)}`]
  const admin = connect(cluster, { poolSize: 1, prepare: false })
  await sql.raw(`create database ${database}`).execute(admin)
  // As operators configure it behind a pooler.
  await sql.raw(`create role ${role} superuser login`).execute(admin)
  await sql.raw(`alter role ${role} set statement_timeout = '2s'`).execute(admin)
  const [db, another] = [1, 2].map(() => connect({ ...cluster, user: role, database }, { poolSize: 1, noTimeLimits })) as [Db, Db]
  try {
    expect(await timeLimits(db)).toEqual(limits)
    // Two processes at once: one migrates, and the other waits for it.
    const results = await Promise.all([db, another].map(one => migrate(one, { only: ['0001-schema.sql'] })))
    expect(results.flatMap(({ applied }) => applied)).toEqual(['0001-schema.sql'])
    expect(await timeLimits(db)).toEqual(limits)
    // One that fails leaves nothing behind either.
    await sql`insert into migration (name) values ('9999-newer.sql')`.execute(db)
    await expect(migrate(db)).rejects.toThrow('newer than this program')
    expect(await timeLimits(db)).toEqual(limits)
    // Many are not all listed: it remains one line that can be read.
    await sql`insert into migration (name) select '999' || n || '-newer.sql' from generate_series(5, 8) n`.execute(db)
    await expect(migrate(db)).rejects.toThrow('(it has 5 migrations, 9995-newer.sql to 9999-newer.sql)')
    await sql`delete from migration where name between '9995' and '9999'`.execute(db)
    // A migration that the database ends leaves the limits as they were, too.
    await sql`delete from migration where name = '9999-newer.sql'`.execute(db)
    const folder = temporaryDirectory()
    writeFileSync(path.join(folder, '0001-schema.sql'), '')
    for (const end of ['cancel', 'terminate']) {
      writeFileSync(path.join(folder, '0002-ended.sql'), `select pg_${end}_backend(pg_backend_pid())`)
      await expect(migrate(db, { folder: pathToFileURL(`${folder}/`) })).rejects.toThrow(
        /^Stopped at the migration 0002-ended.sql, which changed nothing \((canceling statement|terminating connection) .*\): make sure /,
      )
      expect(await timeLimits(db)).toEqual(limits)
    }
  } finally {
    await db.destroy()
    await another.destroy()
    await sql.raw(`drop database ${database} with (force)`).execute(admin)
    await sql.raw(`drop role ${role}`).execute(admin)
    await admin.destroy()
  }
})

test('on a cluster a migration runs statement by statement: semicolons in comments, quotes and bodies divide nothing', async () => {
  const text =
    "-- a; b\ncreate table a (b text default ';');\ncreate function f() returns int language plpgsql as $$ begin return 1; end $$;\n-- end;\n"
  expect(statementsOf(text)).toEqual([
    "-- a; b\ncreate table a (b text default ';')",
    'create function f() returns int language plpgsql as $$ begin return 1; end $$',
  ])
  // Every migration there is, compared with PostgreSQL's own parser.
  await loadModule()
  for (const name of await migrationNames()) {
    const migration = readFileSync(new URL(`../migrations/${name}`, import.meta.url), 'utf8')
    const { stmts } = parseSync(migration) as { stmts: unknown[] }
    expect([name, statementsOf(migration).length]).toEqual([name, stmts.length])
  }
})
