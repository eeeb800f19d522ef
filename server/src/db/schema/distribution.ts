import { type Db, queryRows } from '../db.ts'
import { bool, type RowOf, text, textArray } from '../shape.ts'

// The distribution of the schema over several PostgreSQL servers with the Citus extension: the rows of an organization together on one
// server, a few small tables that everybody reads on all of them, the rest on the first.

const distributionColumn = 'organization_id'

const foreignKey = {
  name: text,
  from: text,
  to: text,
  columns: textArray,
  /** The referenced columns, in the same order. */
  references: textArray,
  /** `n` sets null, `d` the default. */
  onDelete: text,
  /** As `alter table … add constraint` takes it. */
  definition: text,
}
type ForeignKey = RowOf<typeof foreignKey>
const trigger = {
  name: text,
  table: text,
  /** As a statement that creates it. */
  definition: text,
}
type Trigger = RowOf<typeof trigger>
const uniqueIndex = {
  name: text,
  table: text,
  columns: textArray,
}
type UniqueIndex = RowOf<typeof uniqueIndex>
interface Distribution {
  /** On every server: tables without an organization that tenant tables refer to, and the installation. */
  reference: string[]
  /** By organization_id; each after the ones it refers to. */
  distributed: string[]
  /** On the first server only. */
  local: string[]
  /** Dropped before the tables move and added again afterwards. */
  foreignKeys: ForeignKey[]
  /** The same for triggers. */
  triggers: Trigger[]
  /** The signatures of the schema's functions, which the triggers call on every server. */
  functions: string[]
  /** Nothing is distributed yet. */
  isFirst: boolean
  /** Explains what cannot be distributed. */
  faults: string[]
}

/** Plans from the catalog which tables go where, and finds the obstacles. Leaves out tables that are already distributed. */
export async function planDistribution(db: Db): Promise<Distribution> {
  const placed = await placedTables(db)
  const known = new Set(placed.map(({ name }) => name))
  const done = placed.filter(({ isLocal }) => !isLocal).map(({ name }) => name)
  const tables = await queryRows(db, { name: text, tenant: bool })`
    select c.relname::text as name, a.attname is not null as tenant from pg_class c
    left join pg_attribute a on a.attrelid = c.oid and a.attname = ${distributionColumn} and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not exists (
      select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`
  const keys = await queryRows(db, foreignKey)`
    select k.conname::text as name, f.relname::text as from, t.relname::text as to, k.confdeltype::text as "onDelete",
      pg_get_constraintdef(k.oid) as definition,
      array(select a.attname::text from unnest(k.conkey) with ordinality as c (number, position)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.number order by c.position) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality as c (number, position)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.number order by c.position) as references
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace order by k.conname`
  const triggers = await queryRows(db, trigger)`
    select g.tgname::text as name, c.relname::text as table, pg_get_triggerdef(g.oid) as definition
    from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where not g.tgisinternal and c.relnamespace = 'public'::regnamespace order by c.relname, g.tgname`
  const functions = await queryRows(db, { signature: text })`
    select p.oid::regprocedure::text as signature from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not exists (
      select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    order by p.oid`
  const indexes = await queryRows(db, uniqueIndex)`
    select i.indexrelid::regclass::text as name, c.relname::text as table, array(
      select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1])) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`

  const tenants = new Set(tables.filter(({ tenant }) => tenant).map(({ name }) => name))
  const referenced = keys.filter(({ from, to }) => tenants.has(from) && !tenants.has(to)).map(({ to }) => to)
  // A worker that answers lists shows by the installation's secret that it belongs to it.
  const reference = [...new Set([...referenced, 'installation'])].sort()
  const moves = (name: string) => (tenants.has(name) || reference.includes(name)) && !done.includes(name)
  return {
    reference: reference.filter(moves),
    distributed: inOrder([...tenants], keys).filter(moves),
    local: tables.map(({ name }) => name).filter(name => !tenants.has(name) && !reference.includes(name)),
    foreignKeys: keys.filter(({ from, to }) => moves(from) || moves(to) || (reference.includes(to) && !known.has(from))),
    triggers: triggers.filter(({ table }) => tenants.has(table) && moves(table)),
    // Citus creates functions that are added later on every server by itself.
    functions: done.length > 0 ? [] : functions.map(({ signature }) => signature),
    isFirst: done.length === 0,
    faults: [...indexes.flatMap(index => faultOfIndex(index, tenants)), ...keys.flatMap(key => faultOfKey(key, tenants))],
  }
}

/** Whether the tables are spread over a cluster. */
export async function isDistributed(db: Db) {
  return (await placedTables(db)).length > 0
}

/** The tables that Citus manages; a local one has foreign keys to a table that is on every server. None without the extension. */
async function placedTables(db: Db) {
  const [{ installed } = { installed: false }] = await queryRows(db, { installed: bool })`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as installed`
  if (!installed) return []
  return queryRows(db, { name: text, isLocal: bool })`
    select c.relname::text as name, d.partmethod = 'n' and d.repmodel <> 't' as "isLocal"
    from pg_catalog.pg_dist_partition d join pg_class c on c.oid = d.logicalrelid where c.relnamespace = 'public'::regnamespace`
}

function faultOfIndex({ name, table, columns }: UniqueIndex, tenants: ReadonlySet<string>) {
  if (!tenants.has(table) || columns.includes(distributionColumn)) return []
  return [`${table}: the unique index ${name} does not contain ${distributionColumn}`]
}

function faultOfKey({ name, from, to, columns, references, onDelete }: ForeignKey, tenants: ReadonlySet<string>) {
  if (!tenants.has(to)) return []
  if (!tenants.has(from)) return [`${from}: the foreign key ${name} leads from a table without an organization to ${to}, which has one`]
  const at = columns.indexOf(distributionColumn)
  if (at === -1 || references[at] !== distributionColumn)
    return [`${from}: the foreign key ${name} does not pair ${distributionColumn} with that of ${to}`]
  if (onDelete === 'n' || onDelete === 'd')
    return [`${from}: the foreign key ${name} would empty ${distributionColumn} when a row of ${to} goes`]
  return []
}

/** Each table after those it refers to. */
function inOrder(tables: string[], keys: readonly ForeignKey[]) {
  const ordered: string[] = []
  const visit = (table: string, above: readonly string[]) => {
    if (ordered.includes(table) || above.includes(table)) return
    for (const { from, to } of keys) if (from === table && tables.includes(to)) visit(to, [...above, table])
    ordered.push(table)
  }
  for (const table of tables.toSorted()) visit(table, [])
  return ordered
}

interface DistributionStep {
  /** What is reported before the statement runs; consecutive steps of one kind are reported once. */
  what: string
  statement: string
}

/**
 * Before statements that create or change tables on a cluster, in the same transaction. Tables with foreign keys to reference tables are
 * changed one shard after the other. The triggers that keep the search's rows write rows of the same organization only, on the same server.
 * A new table with a foreign key stays a plain table until it is distributed.
 */
export const clusterSettings = [
  `set local citus.multi_shard_modify_mode to 'sequential'`,
  'set local citus.enable_unsafe_triggers to on',
  'set local citus.enable_local_reference_table_foreign_keys to off',
]

/** For all connections: a transaction that has read every server may write a table that is on all of them. */
const databaseSetting = `do $$ begin
  execute format('alter database %I set citus.multi_shard_modify_mode = sequential', current_database());
end $$`

/**
 * The statements that carry out the plan, in one transaction; existing rows move to their servers. Foreign keys are dropped first, because
 * Citus would otherwise register the tables that refer to a table together with it, before they are distributed.
 */
export function distributionSteps({ reference, distributed, foreignKeys, triggers, functions, isFirst }: Distribution): DistributionStep[] {
  const step = (what: string) => (statement: string) => ({ what, statement })
  // The table with which all others are co-located.
  const first = isFirst ? distributed[0] : 'ticket'
  return [
    ...[...clusterSettings, ...(isFirst ? [databaseSetting] : [])].map(step('Preparing')),
    ...foreignKeys.map(({ from, name }) => `alter table ${from} drop constraint ${name}`).map(step('Dropping the foreign keys')),
    ...triggers.map(({ table, name }) => `drop trigger ${name} on ${table}`).map(step('Dropping the triggers')),
    // Statements on the organization's server generate ids there: a default makes Citus distribute the sequence.
    ...(isFirst ? [`alter table change alter column change_set_id set default nextval('change_set_id')`] : []).map(
      step('Distributing the sequence of changes'),
    ),
    ...reference.map(table => step(`Copying ${table} to every server`)(`select create_reference_table('${table}')`)),
    ...distributed.map(table =>
      step(`Distributing ${table}`)(
        table === first
          ? `select create_distributed_table('${table}', '${distributionColumn}')`
          : `select create_distributed_table('${table}', '${distributionColumn}', colocate_with => '${first}')`,
      ),
    ),
    // The rows were copied: without this they stay in the coordinator's own table too, unseen until a later migration checks them.
    ...[...reference, ...distributed]
      .map(table => `select truncate_local_data_after_distributing_table('${table}')`)
      .map(step('Deleting the rows that were copied')),
    ...['set local citus.enable_local_reference_table_foreign_keys to on'].map(step('Adding the foreign keys again')),
    ...foreignKeys
      .map(({ from, name, definition }) => `alter table ${from} add constraint ${name} ${definition}`)
      .map(step('Adding the foreign keys again')),
    ...functions.map(signature => `select create_distributed_function('${signature}')`).map(step('Creating the functions on every server')),
    ...triggers.map(({ definition }) => definition).map(step('Adding the triggers again')),
  ]
}
