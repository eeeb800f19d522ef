import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../src/db/db.ts'
import type { Sent } from '../statements/record-statements.ts'

/** Into how many tasks a cluster divides each part of a statement, one for each shard that is asked; the parts run one after the other. */
export async function tasksOf(db: Db, { text, values }: Sent) {
  return db.connection().execute(async held => {
    // Citus does not explain an INSERT … SELECT with parameters. PostgreSQL knows their types once the statement is prepared.
    await sql.raw(`prepare asked as ${text}`).execute(held)
    const { rows: asked } = await sql<{ types: string[] }>`
      select parameter_types::text[] as types from pg_prepared_statements where name = 'asked'`.execute(held)
    await sql`deallocate asked`.execute(held)
    const whole = text.replace(/\$(\d+)/g, (_, number) => {
      const index = Number(number) - 1
      return `(${literal(values[index])}::${asked[0]?.types[index]})`
    })
    const { rows } = await sql<{ 'QUERY PLAN': unknown }>`${sql.raw(`explain (costs off, format json) ${whole}`)}`.execute(held)
    return everywhere(rows, 'Task Count') as number[]
  })
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map(each => (each === null ? 'null' : JSON.stringify(String(each)))).join(',')}}`)
  return pg.escapeLiteral(String(value))
}

/** The values under this key at any depth. */
function everywhere(node: unknown, key: string): unknown[] {
  if (Array.isArray(node)) return node.flatMap(each => everywhere(each, key))
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) => (name === key ? [value] : everywhere(value, key)))
}
