/** Writes server/src/db/tables.ts from the migrations, which it runs on a bundled PostgreSQL in a temporary folder: `npm run db:types`. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { connect } from '../server/src/db/connections/connect.ts'
import { startEmbedded } from '../server/src/db/embedded/start-embedded.ts'
import { migrate } from '../server/src/db/schema/migrate.ts'

const types: Record<string, string> = {
  int8: 'number',
  int4: 'number',
  int2: 'number',
  numeric: 'string',
  text: 'string',
  uuid: 'string',
  bool: 'boolean',
  bytea: 'Buffer',
  jsonb: 'unknown',
  timestamptz: 'Date',
}

interface Column {
  table: string
  name: string
  type: string
  nullable: boolean
  generated: boolean
}

const directory = mkdtempSync(path.join(tmpdir(), 'tessera-types-'))
// As root, PostgreSQL runs under another account.
chmodSync(directory, 0o755)
const server = await startEmbedded({ directory, durable: false })
const db = connect(server.connection, { poolSize: 1 })
await migrate(db)
const { rows } = await sql<Column>`
  select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable, a.atthasdef or a.attidentity <> '' as generated
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`.execute(db)
await db.destroy()
await server.stop()
rmSync(directory, { recursive: true })

const tables = Map.groupBy(rows, ({ table }) => table)
const lines = [
  '// Generated from the migrated database: npm run db:types',
  "import type { ColumnType, Generated } from 'kysely'",
  '',
  'type Options = { value: string; label: string }[]',
  '',
  'export interface Tables {',
]
for (const [table, columns] of tables) {
  lines.push(`  ${table}: {`)
  for (const column of columns) lines.push(`    ${column.name}: ${typeOf(column)}`)
  lines.push('  }')
}
lines.push('}', '', 'export const tableNames: readonly (keyof Tables)[] = [', ...[...tables.keys()].map(name => `  '${name}',`), ']')
writeFileSync(new URL('../server/src/db/tables.ts', import.meta.url), `${lines.join('\n')}\n`)

function typeOf({ name, type, nullable, generated }: Column) {
  const maybeNull = nullable ? ' | null' : ''
  const maybeLeftOut = generated || nullable ? ' | undefined' : ''
  const base = types[type] ?? 'unknown'
  if (type === 'timestamptz') return `ColumnType<Date${maybeNull}, Date | string${maybeNull}${maybeLeftOut}, Date | string${maybeNull}>`
  if (type === 'jsonb') {
    const read = name === 'options' ? `Options${maybeNull}` : base
    return `ColumnType<${read}, string${maybeNull}${maybeLeftOut}, string${maybeNull}>`
  }
  return generated ? `Generated<${base}${maybeNull}>` : `${base}${maybeNull}`
}
