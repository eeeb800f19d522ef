/** Writes server/src/db/tables.ts from a migrated database: `npm run db:types` with DATABASE_URL set to an empty scratch database. */
import { writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { connect } from '../server/src/db/db.ts'
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

const url = process.env.DATABASE_URL
if (!url) {
  console.error('Set DATABASE_URL to an empty scratch database.')
  process.exit(1)
}
const db = connect({ connectionString: url }, { poolSize: 1 })
await migrate(db)
const { rows } = await sql<Column>`
  select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable, a.atthasdef or a.attidentity <> '' as generated
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`.execute(db)
await db.destroy()

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
  if (type === 'jsonb')
    return `ColumnType<${name === 'options' ? 'Options' : base}${maybeNull}, string${maybeNull}${maybeLeftOut}, string${maybeNull}>`
  return generated ? `Generated<${base}${maybeNull}>` : `${base}${maybeNull}`
}
