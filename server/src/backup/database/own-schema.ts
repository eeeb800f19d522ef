import { sql } from 'kysely'
import { type Db, queryRows } from '../../db/db.ts'
import { migrationNames } from '../../db/schema/migrate.ts'
import { bool, text } from '../../db/shape.ts'
import { tableNames } from '../../db/tables.ts'

/** Tables of earlier versions. */
const formerTables = ['board_rank']
const ownNames: ReadonlySet<string> = new Set([...tableNames, ...formerTables, 'change_set_id'])

interface Contents {
  /** Whether Tessera has been started here. */
  hasSchema: boolean
  /** Tables, views, sequences and functions of other programs, as in `payroll` and `pay(integer)`. */
  foreign: string[]
}

/** What a database holds besides extensions. A restore removes Tessera's own schema, and must not remove anything else. */
export async function contentsOf(db: Db): Promise<Contents> {
  const found = await queryRows(db, { name: text, owned: text, isFunction: bool })`
    select c.relname::text as name, c.relname::text as owned, false as "isFunction" from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not exists (
      select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and (
        d.deptype = 'e' or c.relkind = 'S' and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')))
    union all
    select p.oid::regprocedure::text, p.proname::text, true from pg_proc p
    where p.pronamespace = 'public'::regnamespace and not exists (
      select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select nspname::text, nspname::text, false from pg_namespace where nspname = 'graphile_worker'
    order by 1`
  const hasSchema = found.some(({ name }) => name === 'migration') && (await isOwnMigrationTable(db))
  const isOwn = ({ owned, isFunction }: (typeof found)[number]) =>
    hasSchema && (isFunction ? owned.startsWith('search_') : owned === 'graphile_worker' || ownNames.has(owned))
  return { hasSchema, foreign: found.filter(each => !isOwn(each)).map(({ name }) => name) }
}

/** Other programs have a table of this name too. */
async function isOwnMigrationTable(db: Db) {
  const columns = await queryRows(db, { name: text })`
    select attname::text as name from pg_attribute where attrelid = 'public.migration'::regclass and attnum > 0 and not attisdropped order by 1`
  if (columns.map(({ name }) => name).join() !== 'applied_at,name') return false
  const known = new Set(await migrationNames())
  const applied = await queryRows(db, { name: text })`select name::text as name from public.migration`
  return applied.every(({ name }) => known.has(name))
}

/** Removes Tessera's schema. Not in one transaction, which would lock too much on a cluster: `migration` is the last table, so that it can be repeated. */
export async function dropOwnSchema(db: Db) {
  await sql`drop schema if exists graphile_worker cascade`.execute(db)
  const functions = await queryRows(db, { name: text })`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname like 'search\_%' and not exists (
      select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`
  for (const { name } of functions) await sql.raw(`drop function if exists ${name} cascade`).execute(db)
  for (const name of [...tableNames, ...formerTables].filter(each => each !== 'migration'))
    await sql`drop table if exists public.${sql.ref(name)} cascade`.execute(db)
  await sql`drop sequence if exists public.change_set_id`.execute(db)
  await sql`drop table if exists public.migration`.execute(db)
}
