import { spawn } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { connect } from '../../src/db/connections/connect.ts'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { makeOrganization, makeProject } from '../fixtures/factories.ts'
import { temporaryDirectory } from '../postgres/embedded.ts'
import { rounds } from './tools/product.ts'

const ticketCount = 10_000
const own = new URL('../../src/db/migrations/', import.meta.url)
// Possible migrations of a next version: each touches every ticket, so a partial one would show.
const next = {
  '9001-rank.sql': `
    alter table ticket add column torture_rank bigint;
    update ticket set torture_rank = id * 2;
    alter table ticket alter column torture_rank set not null;
    create index torture_ticket_rank on ticket (organization_id, torture_rank);`,
  '9002-titles.sql': `
    create table torture_title (organization_id bigint not null, ticket_id bigint not null, title text not null,
      primary key (organization_id, ticket_id), foreign key (organization_id, ticket_id) references ticket on delete cascade);
    insert into torture_title select organization_id, id, title from ticket;
    alter table ticket drop column torture_rank;`,
}

async function fill(db: Db) {
  const organization = await makeOrganization(db)
  const { projectId, states, templates, fields } = await makeProject(db, organization)
  await sql`
    with made as (
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select ${organization}, ${projectId}, ${templates.bug}, ${states.open}, 'Ticket ' || n from generate_series(1, ${ticketCount}) n returning id
    ), noted as (
      insert into ticket_value (organization_id, ticket_id, field_id, value) select ${organization}, id, ${fields.note}, md5(id::text) from made
    )
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, after)
    select ${organization}, id, 'ticket', id, ${projectId}, id, 'Ticket', 'Ticket ' || id from made`.execute(db)
}

/** Of every column that both versions have. */
async function digestOf(db: Db) {
  const { rows } = await sql<{ digest: string }>`/* all organizations: job */
    select md5(concat((select string_agg(concat_ws('|', organization_id, id, project_id, template_id, state_id, title, version), ',' order by id) from ticket),
      (select string_agg(v::text, ',' order by v::text) from ticket_value v), (select string_agg(c::text, ',' order by id) from change c))) as digest`.execute(
    db,
  )
  return rows[0]?.digest
}

/** Which of the next version's parts are there; each migration is there whole or not at all. */
async function parts(db: Db) {
  const { rows } = await sql<{ first: boolean; second: boolean; rank: number; titles: boolean }>`
    select exists (select from migration where name like '9001%') as first, exists (select from migration where name like '9002%') as second,
      (select count(*)::int from information_schema.columns where table_name = 'ticket' and column_name = 'torture_rank' and is_nullable = 'NO')
        + (select count(*)::int from pg_class where relname = 'torture_ticket_rank') as rank,
      to_regclass('torture_title') is not null as titles`.execute(db)
  const [row] = rows as [{ first: boolean; second: boolean; rank: number; titles: boolean }]
  if (row.titles) {
    const copied = await sql<{ count: number }>`/* all organizations: job */ select count(*)::int as count from torture_title`.execute(db)
    expect(copied.rows[0]?.count).toBe(ticketCount)
  }
  return `${row.first ? 1 : 0}${row.second ? 1 : 0} ${row.rank} ${row.titles}`
}
const whole = ['00 0 false', '10 2 false', '11 0 true']

test('an upgrade of a filled database, killed at random moments, leaves each migration whole or undone and ends whole', {
  tags: ['long'],
  timeout: 1_200_000,
}, async () => {
  const cluster = inject('cluster')
  const database = `upgrade_${process.pid}`
  const admin = connect(cluster, { poolSize: 1, prepare: false })
  await sql.raw(`create database ${database}`).execute(admin)
  const db = connect({ ...cluster, database }, { poolSize: 1, noTimeLimits: true })
  const folder = path.join(temporaryDirectory(), 'migrations')
  cpSync(fileURLToPath(own), folder, { recursive: true })
  for (const [name, text] of Object.entries(next)) writeFileSync(path.join(folder, name), text)

  /** Upgrades in a process of its own; true when it came to its end before the kill. */
  async function upgrade(killAfter?: number) {
    const script = path.join(import.meta.dirname, 'tools/migrate-child.ts')
    const child = spawn(process.execPath, [script, JSON.stringify({ ...cluster, database }), `${pathToFileURL(folder)}/`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    await new Promise(resolve => child.stdout.once('data', resolve))
    if (killAfter !== undefined) {
      await Promise.race([sleep(killAfter), ended])
      child.kill('SIGKILL')
    }
    return (await ended) === 0
  }
  async function downgrade() {
    await sql
      .raw(`drop table torture_title; alter table ticket drop column if exists torture_rank; delete from migration where name like '9%'`)
      .execute(db)
  }

  try {
    await migrate(db)
    await fill(db)
    const before = await digestOf(db)
    const started = performance.now()
    expect(await upgrade()).toBe(true)
    const takes = performance.now() - started
    await downgrade()

    const kills = rounds(1)
    const found = new Map<string, number>()
    for (let kill = 0; kill < kills; kill++) {
      await upgrade(Math.random() * takes)
      // The killed process's statement may run on until PostgreSQL notices: the lock tells.
      await sql`select pg_advisory_lock(7337002), pg_advisory_unlock(7337002)`.execute(db)
      const state = await parts(db)
      expect(whole).toContain(state)
      found.set(state, (found.get(state) ?? 0) + 1)
      const isLast = kill === kills - 1
      if (kill % 5 === 4 || isLast) {
        expect(await upgrade()).toBe(true)
        expect(await parts(db)).toBe(whole[2])
        expect(await digestOf(db)).toBe(before)
      }
      if (!isLast && (await parts(db)) === whole[2]) await downgrade()
    }
    console.log(
      `upgrade: ${ticketCount} tickets, ${Math.round(takes)} ms; killed ${kills} times, found before/between/after the migrations ` +
        `${whole.map(state => found.get(state) ?? 0).join('/')}, never in one; ended whole, nothing else changed`,
    )
  } finally {
    await db.destroy()
    await sql.raw(`drop database ${database} with (force)`).execute(admin)
    await admin.destroy()
  }
})
