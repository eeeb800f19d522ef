import { loadModule, parseSync } from 'libpg-query'
import { type Db, queryRows } from '../db.ts'
import { text } from '../shape.ts'
import { marker, reasons } from './across-organizations.ts'
import { type ClusterSchema, clusterProblems } from './statement-cluster.ts'
import { inspectQuery } from './statement-scope.ts'
import type { Node } from './statement-tree.ts'

// Every distinct statement is parsed once by PostgreSQL's own parser, in tests and development. An accepted statement
// reads and writes one organization (statement-scope.ts), goes to one shard when the tables are distributed, and uses nothing that a cluster refuses
// (statement-cluster.ts).

/** Statements other than queries that carry no rows. Any other kind (COPY, TRUNCATE, DO, CREATE TABLE AS …) needs a stated reason. */
const harmless = new Set([
  'TransactionStmt',
  'VariableSetStmt',
  'VariableShowStmt',
  'ListenStmt',
  'UnlistenStmt',
  'NotifyStmt',
  'LockStmt',
  'VacuumStmt',
])
/** Without an organization; tenant tables refer to them (distribution.ts). */
const sharedTables = ['installation', 'organization', 'property_type', 'user_account']
const queries = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])

await loadModule()

/** Returns an inspector that throws on a statement which is not bound to one organization, or which a cluster refuses. */
export function statementGuard(schema: ClusterSchema) {
  const allowed = Object.keys(reasons).map(reason => marker(reason as keyof typeof reasons))

  return (text: string) => {
    const { stmts = [] } = parseSync(text) as { stmts?: { stmt: Node }[] }
    const statements = stmts.map(({ stmt }) => (stmt.ExplainStmt as { query: Node } | undefined)?.query ?? stmt)
    const kinds = statements.map(statement => Object.keys(statement)[0] as string)
    if (kinds.every(kind => harmless.has(kind))) return
    // A comment applies to the first statement only.
    if (kinds.length > 1) throw refusal(text, ['organization_id is not followed through several statements in one text'])
    const across = allowed.some(comment => text.trimStart().startsWith(comment))
    const refused = statements.flatMap(statement => clusterProblems(statement, schema, across))
    if (refused.length > 0) throw new Error(`Statement fails on a Citus cluster: ${refused.join('; ')}.\n${text}`)
    if (across) return
    const problems = statements.flatMap((statement, index) =>
      queries.has(kinds[index] as string) ? inspectQuery(statement, schema.tenantTables) : [`${kinds[index]} has no organization_id`],
    )
    if (problems.length > 0) throw refusal(text, problems)
  }
}

function refusal(text: string, problems: string[]) {
  return new Error(
    `Statement is not bound to one organization: ${problems.join('; ')}. Bind organization_id, or state the reason (across-organizations.ts).\n${text}`,
  )
}

/** The guard of a database: its tenant tables are those with the column. */
export async function statementGuardOf(db: Db) {
  const tenants = await queryRows(db, { name: text })`
    select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`
  const functions = await queryRows(db, { name: text })`
    select proname::text as name from pg_proc where prokind = 'f' group by proname having bool_and(provolatile <> 'i')`
  return statementGuard({
    tenantTables: new Set(tenants.map(({ name }) => name)),
    sharedTables: new Set(sharedTables),
    changingFunctions: new Set(functions.map(({ name }) => name)),
  })
}
