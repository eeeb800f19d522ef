import { createHash } from 'node:crypto'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import type { Connection } from '../../db/connections/connect.ts'
import { tableNames } from '../../db/tables.ts'

/** Tables that a backup excludes: a restore must not revive sessions, reset codes or captchas. */
export const leftOut = new Set(['session', 'idempotency_key', 'reset_code', 'captcha_use', 'throttle'])

export interface Table {
  name: string
  columns: string[]
  /** The primary key, as an ORDER BY that gives the same order on every server. */
  order: string
}

export interface TableDigest {
  name: string
  rows: number
  /** Of the rows in COPY's text format, ordered by the primary key. */
  sha256: string
}

export interface Sequence {
  name: string
  value: number
  called: boolean
}

/** A dedicated connection without time limits that formats values the same way on every server. */
export async function openClient(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    options:
      '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=1 -c standard_conforming_strings=on',
  } as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  return client
}

export async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns,
      (select string_agg(quote_ident(k.attname) || case when k.attcollation <> 0 then ' collate "C"' else '' end, ', ' order by p.position)
        from pg_index i cross join unnest(i.indkey) with ordinality as p (attnum, position)
        join pg_attribute k on k.attrelid = c.oid and k.attnum = p.attnum where i.indrelid = c.oid and i.indisprimary) as order
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.oid, c.relname order by c.relname`)
  return rows
}

/** Those that number the rows of the product's tables, and the one that numbers sets of changes. */
export async function sequencesOf(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select s.relname as name from pg_class s
    left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.refclassid = d.classid and d.deptype in ('a', 'i')
    left join pg_class t on t.oid = d.refobjid
    where s.relnamespace = 'public'::regnamespace and s.relkind = 'S' and (t.relname = any($1) or s.relname = 'change_set_id') order by 1`,
    [tableNames],
  )
  const sequences: Sequence[] = []
  for (const { name } of rows) {
    const { rows: state } = await client.query(`select last_value, is_called from public.${client.escapeIdentifier(name)}`)
    sequences.push({ name, value: Number(state[0].last_value), called: state[0].is_called })
  }
  return sequences
}

const partSize = 4 * 1024 * 1024

/** Streams a table in primary-key order; returns its digest. */
export async function readTable(client: pg.Client, table: Table, onPart: (part: Buffer) => Promise<void>) {
  const stream = client.query(
    to(`copy (select ${table.columns.join(', ')} from public.${client.escapeIdentifier(table.name)} order by ${table.order}) to stdout`),
  )
  const hash = createHash('sha256')
  let rows = 0
  let waiting: Buffer[] = []
  let size = 0
  async function flush() {
    if (size === 0) return
    const part = Buffer.concat(waiting)
    waiting = []
    size = 0
    await onPart(part)
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    // The format escapes a line feed inside a value, so each raw line feed ends a row.
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++
    waiting.push(chunk)
    size += chunk.length
    if (size >= partSize) await flush()
  }
  await flush()
  return { name: table.name, rows, sha256: hash.digest('hex') } satisfies TableDigest
}

/**
 * Opens a table for rows in COPY's text format. They go out one chunk at a time, and none after PostgreSQL's first error: pg-copy-streams
 * would go on writing to a connection that it no longer has.
 */
export function writeTable(client: pg.Client, { name, columns }: Pick<Table, 'name' | 'columns'>) {
  const stream = client.query(from(`copy public.${client.escapeIdentifier(name)} (${columns.join(', ')}) from stdin`))
  let fault: Error | undefined
  let fail = (_: Error) => {}
  stream.on('error', error => {
    fault = error
    fail(error)
  })
  const step = (begin: (done: () => void) => void) =>
    new Promise<void>((resolve, reject) => {
      if (fault) return reject(fault)
      fail = reject
      begin(resolve)
    })
  return {
    write: (chunk: Buffer) => step(done => stream.write(chunk, () => done())),
    end: () => step(done => stream.end(() => done())),
  }
}
