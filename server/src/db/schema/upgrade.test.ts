import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { authenticate } from '@tessera/contract/people/session'
import { getCommentHistory, getTicketComments } from '@tessera/contract/tickets/comments'
import { getTicketData, getTicketHistory } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startServer } from '../../../test/servers/server.ts'
import { connect } from '../connections/connect.ts'
import type { Db } from '../db.ts'
import { isMigrated, migrate } from './migrate.ts'

/**
 * What each release stored when an organization with a project, three tickets, a comment that was edited, a file and a subscription was made
 * by calls of its API: `json_agg` of each table. The password of both people is "correct horse battery". A new release adds its own file.
 */
const folder = path.join(import.meta.dirname, '../../../test/releases')

type Rows = Record<string, Record<string, unknown>[]>

/** The rows as they are now, of the tables and columns that the release had, in the order of the release's rows. */
async function rowsNow(db: Db, stored: Rows) {
  const found: Rows = {}
  for (const [table, rows] of Object.entries(stored)) {
    const { rows: all } = await sql<{ row: Record<string, unknown> }>`
      /* all organizations: job */ select to_jsonb(t) as row from ${sql.table(table)} t`.execute(db)
    const columns = Object.keys(rows[0] ?? {})
    const old = all.map(({ row }) => Object.fromEntries(columns.map(column => [column, row[column]])))
    const position = new Map(rows.map((row, index) => [JSON.stringify(row), index]))
    found[table] = old.toSorted((a, b) => (position.get(JSON.stringify(a)) ?? -1) - (position.get(JSON.stringify(b)) ?? -1))
  }
  return found
}

// On a cluster a migration of distributed tables is part of torture:citus.
const isCluster = inject('servers').length > 1
test.skipIf(isCluster).each(readdirSync(folder))('what the release %s stored is kept by an upgrade, and can be read', async file => {
  const stored: Rows = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  const migrations = stored.migration?.map(({ name }) => String(name)) ?? []
  const database = `release_${randomUUID().replaceAll('-', '')}`
  const admin = connect(inject('cluster'), { poolSize: 1, prepare: false })
  await sql.raw(`create database ${database}`).execute(admin)
  try {
    const db = connect({ ...inject('cluster'), database }, { poolSize: 1 })
    await migrate(db, { only: migrations })
    await sql`/* all organizations: job */ truncate installation, migration`.execute(db)
    // Rows in any order, as they were: no triggers and no foreign keys.
    await sql`set session_replication_role = replica`.execute(db)
    for (const [table, rows] of Object.entries(stored)) {
      await sql`/* all organizations: job */
        insert into ${sql.table(table)} overriding system value
        select * from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(db)
    }
    await sql`set session_replication_role = origin`.execute(db)

    const { applied } = await migrate(db)
    expect(applied.length).toBeGreaterThan(0)
    expect(await isMigrated(db)).toBe(true)
    const { migration: all, ...kept } = await rowsNow(db, stored)
    const { migration: before = [], ...own } = stored
    expect(all).toEqual(expect.arrayContaining(before))
    expect(kept).toEqual(own)
    await db.destroy()

    await using server = await startServer({}, database)
    const [person] = stored.user_account ?? []
    const { cookies, headers } = await server.stranger()
    const signedIn = await server.app.inject({
      method: 'POST',
      url: authenticate.path,
      cookies,
      headers,
      payload: { user: person?.login, pass: 'correct horse battery' },
    })
    expect(signedIn.json()).toMatchObject({ auth: 1, idUser: 1, orgid: 1 })
    const jar = { ...cookies, ...Object.fromEntries(signedIn.cookies.map(({ name, value }) => [name, value])) }
    const ann = { idUser: 1, orgid: 1, cookies: jar, headers: { 'x-xsrf-token': jar['XSRF-TOKEN'] ?? '' } }
    expect((await server.as(ann, getTicketData, { idTicket: 1 })).body).toMatchObject({
      Title: 'Made and renamed by 0.1.0',
      Assignees: [{ idUser: 1, Role: 'Responsible' }],
      Fields: [{ Key: 'note', Value: 'A value' }, { Key: 'size' }],
      Attachments: [{ id: 1, name: 'photo.jpg' }],
      NotificationSubscription: 1,
    })
    expect((await server.as(ann, getTicketComments, { idTicket: 1 })).body).toMatchObject([{ Comment: 'Said twice', ChangeCount: 2 }])
    expect((await server.as(ann, getCommentHistory, { idTicket: 1, idComment: 1 })).body).toMatchObject([
      { Version: 2, Comment: 'Said twice' },
      { Version: 1, Comment: 'Said once' },
    ])
    expect(JSON.stringify((await server.as(ann, getTicketHistory, { idTicket: 1 })).body)).toContain('Made by 0.1.0')
  } finally {
    await sql.raw(`drop database ${database} with (force)`).execute(admin)
    await admin.destroy()
  }
})
