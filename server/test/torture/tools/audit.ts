import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, connect } from '../../../src/db/connections/connect.ts'
import type { Db } from '../../../src/db/db.ts'
import { isBusyOrAway } from '../../../src/db/sql-state.ts'
import { recount } from '../../fixtures/recount.ts'
import type { Acknowledged, Load } from './load.ts'
import { mailsTo } from './mails.ts'
import type { Staff } from './product.ts'
import { tornQuery } from './torn.ts'

/** Checks repeatedly that the database has everything acknowledged, and nothing partial. */
export function auditor(staff: Staff, load: Load, data: string, connection: () => Connection) {
  const { organization } = staff
  let audited = 0
  let auditedFiles = 0

  /** Retries while the database is still starting. */
  async function withDatabase<T>(work: (db: Db) => Promise<T>, timeout = 20_000): Promise<T> {
    const db = connect(connection(), { poolSize: 1, prepare: false, noTimeLimits: true })
    try {
      return await work(db)
    } catch (error) {
      if (!isBusyOrAway(error) || timeout <= 0) throw error
    } finally {
      await db.destroy()
    }
    await sleep(100)
    return withDatabase(work, timeout - 100)
  }

  /** Writes that were acknowledged since the last audit and are missing. */
  async function lost(all = false) {
    const some = load.acknowledged.slice(all ? 0 : audited)
    audited = load.acknowledged.length
    return withDatabase(async db => {
      const rows = await missing(
        db,
        organization,
        some.filter(({ kind }) => kind !== 'mail'),
      )
      return [
        ...rows,
        ...(await missingMails(
          db,
          data,
          some.flatMap(one => (one.kind === 'mail' ? [one.login] : [])),
        )),
      ]
    })
  }

  /** Everything that is stored only in part. */
  async function torn() {
    return withDatabase(async db => {
      const { rows } = await sql.raw<{ what: string; id: number }>(tornQuery.replaceAll('$1', String(organization))).execute(db)
      const counters = await recount(db, organization)
      return [...rows, ...counters.subordinates, ...counters.tally, ...(await fileless(db))]
    })
  }

  /** Rows of attachments whose file is missing or another. */
  async function fileless(db: Db) {
    const { rows } = await sql<{ id: number; storage_key: string; sha256: Buffer }>`
      select id, storage_key, sha256 from attachment where organization_id = ${organization} and id > ${auditedFiles} order by id`.execute(
      db,
    )
    auditedFiles = rows.at(-1)?.id ?? auditedFiles
    return rows.filter(({ storage_key, sha256 }) => {
      try {
        return !createHash('sha256')
          .update(readFileSync(path.join(data, 'attachments', storage_key)))
          .digest()
          .equals(sha256)
      } catch {
        return true
      }
    })
  }

  /** Damaged pages of tables; a damaged index throws. */
  async function damaged() {
    return withDatabase(async db => {
      await sql`create extension if not exists amcheck`.execute(db)
      await sql`
        select bt_index_check(i.indexrelid, true) from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
        where a.amname = 'btree' and c.relnamespace = 'public'::regnamespace`.execute(db)
      const { rows } = await sql`
        select c.relname, v.* from pg_class c, verify_heapam(c.oid) v where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(
        db,
      )
      return rows
    })
  }

  return { lost, torn, damaged }
}

async function missing(db: Db, organization: number, some: Acknowledged[]) {
  const { rows } = await sql<{ kind: string }>`
    select a.* from jsonb_to_recordset(${JSON.stringify(some)}::text::jsonb)
      as a(kind text, "idTicket" bigint, field text, value text, "idComment" bigint, text text, title text, id bigint, sha256 text, name text, times int)
    where not case a.kind
      when 'save' then (select count(*) = 1 from change c where c.organization_id = ${organization} and c.ticket_id = a."idTicket"
        and c.field = a.field and c.after = a.value)
      when 'comment' then exists (select from comment c where c.organization_id = ${organization} and c.ticket_id = a."idTicket"
        and c.id = a."idComment" and c.text = a.text)
      when 'create' then exists (select from ticket t where t.organization_id = ${organization} and t.id = a."idTicket" and t.title = a.title)
      when 'upload' then exists (select from attachment f where f.organization_id = ${organization} and f.ticket_id = a."idTicket"
        and f.id = a.id and f.sha256 = decode(a.sha256, 'hex'))
      -- Whoever got no answer asked again, and what is deleted already has no second row of history.
      when 'deletion' then (select count(*) >= a.times from change c where c.organization_id = ${organization} and c.ticket_id = a."idTicket"
        and c.field = 'Attachment' and c.before = a.name)
      when 'restoration' then (select count(*) > a.times from change c where c.organization_id = ${organization} and c.ticket_id = a."idTicket"
        and c.field = 'Attachment' and c.after = a.name)
      when 'link' then exists (select from ticket_link l where l.organization_id = ${organization} and l.id = a.id)
      when 'name' then exists (select from change c where c.organization_id = ${organization} and c.subject = 'label' and c.subject_id = a.id
        and c.field = 'Name' and c.after = a.value)
      when 'query' then exists (select from change c where c.organization_id = ${organization} and c.subject = 'search' and c.subject_id = a.id
        and c.after::json ->> 'query' = a.value)
      end`.execute(db)
  return rows
}

/** People whose welcome mail neither waits nor left, or who are not there at all. */
async function missingMails(db: Db, data: string, logins: string[]) {
  const { rows } = await sql<{ login: string; waits: boolean }>`
    select login, exists (select from graphile_worker._private_jobs j where (j.payload ->> 'userId')::bigint = u.id) as waits
    from user_account u where login = any(${logins})`.execute(db)
  const waiting = new Map(rows.map(({ login, waits }) => [login, waits]))
  const sent = mailsTo(data)
  return logins.filter(login => !waiting.has(login) || !(waiting.get(login) || sent.has(login)))
}
