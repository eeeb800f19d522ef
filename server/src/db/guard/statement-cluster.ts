import { columnOf, conjuncts, list, type Node, subqueries } from './statement-tree.ts'

// What a Citus cluster refuses, or executes wrongly, in a statement that PostgreSQL accepts. Each rule was found on a cluster (docs/scaling.md).

const writing = ['InsertStmt', 'UpdateStmt', 'DeleteStmt']
/** STABLE for a timestamp with time zone, otherwise IMMUTABLE: the parse tree does not tell which variant is called. */
const functionsOfTime = ['extract', 'date_part', 'date_trunc', 'age', 'to_char']

/** The tables of a schema as a cluster places them, and the functions whose every variant is not IMMUTABLE. */
export interface ClusterSchema {
  tenantTables: ReadonlySet<string>
  /** On every server. */
  sharedTables: ReadonlySet<string>
  changingFunctions: ReadonlySet<string>
}

interface Context extends ClusterSchema {
  /** The statement is not bound to an organization. */
  across: boolean
  /** The statement has more than one INSERT, UPDATE or DELETE. */
  hasSeveralWrites: boolean
}
interface Found {
  kind: string
  body: Node
}
/** Yields the problems of one query in the statement. */
type Rule = (query: Found, context: Context) => Iterable<string>

const everyQuery: Rule[] = [recursion, rowsLockedByName, outerJoins, rowsLockedAcross, correlation]
/** The rules for writes to a table that the cluster places, by kind of statement. */
const writes: Record<string, Rule[]> = {
  InsertStmt: [returning, onConflict, values, numberedRows],
  UpdateStmt: [returning, whereCalls, parametersAlone, sharedByTenants, setCalls],
  DeleteStmt: [returning, whereCalls, parametersAlone, sharedByTenants],
}

/** What a cluster refuses of a SELECT, INSERT, UPDATE or DELETE; `across` is one that is not bound to an organization. */
export function clusterProblems(statement: Node, schema: ClusterSchema, across: boolean): string[] {
  const { tenantTables, sharedTables } = schema
  const isPlaced = (table: string) => tenantTables.has(table) || sharedTables.has(table)
  const tables = tablesIn(statement)
  if (!tables.some(isPlaced)) return []
  const queries = all(statement, ['SelectStmt', ...writing])
  const written = queries.filter(({ kind }) => kind !== 'SelectStmt')
  const context = { ...schema, across, hasSeveralWrites: written.length > 1 }
  const problemsOf = (query: Found, rules: Rule[] = []) => rules.flatMap(rule => [...rule(query, context)])
  const isLocking = functionsIn(statement).some(name => name.startsWith('pg_advisory')) && tables.some(table => tenantTables.has(table))
  return [
    ...queries.flatMap(query => problemsOf(query, everyQuery)),
    ...written.filter(({ body }) => isPlaced(targetOf(body))).flatMap(query => problemsOf(query, writes[query.kind])),
    ...(isLocking ? ['an advisory lock is taken on the server of the rows: take it in a statement of its own'] : []),
  ]
}

function* recursion({ kind, body }: Found) {
  const { ctes, recursive } = (body.withClause ?? {}) as { ctes?: Node[]; recursive?: boolean }
  if (recursive && (kind !== 'SelectStmt' || all(ctes, writing).length > 0))
    yield 'a recursive WITH beside one that writes: put it into the subquery that needs it'
}

function* rowsLockedByName({ body }: Found) {
  for (const cte of list((body.withClause as Node | undefined)?.ctes)) {
    const { ctename, ctequery } = cte.CommonTableExpr as { ctename: string; ctequery: Node }
    const locking = ctequery.SelectStmt as Node | undefined
    if (locking?.lockingClause && subqueries(locking.whereClause).length > 0 && isSemiJoin(locking.whereClause))
      yield `${ctename} locks the rows that a subquery names: name them by a parameter`
  }
}

function* outerJoins({ body }: Found) {
  for (const { body: join } of all(body.fromClause, ['JoinExpr']))
    if (join.jointype !== 'JOIN_INNER' && conjunctsOf(join.quals).some(isOfParameters))
      yield 'an outer join has a condition on parameters alone'
}

function* rowsLockedAcross({ body }: Found, { across, tenantTables }: Context) {
  if (across && body.lockingClause && tablesIn(body.fromClause).some(table => tenantTables.has(table)))
    yield 'rows of several organizations are locked: lock them organization by organization'
}

/** A subquery on a tenant table refers to a column of the query outside it, which itself reads only tables that are on every server. */
function* correlation({ body }: Found, { across, tenantTables, sharedTables }: Context) {
  const aliases = all(body.fromClause, ['RangeVar']).map(({ body: { relname, alias } }) => ({
    table: relname as string,
    name: ((alias as Node | undefined)?.aliasname ?? relname) as string,
  }))
  if (!across || aliases.length === 0 || !aliases.every(({ table }) => sharedTables.has(table))) return
  const isOutside = ({ body: column }: Found) => aliases.some(({ name }) => columnOf({ ColumnRef: column })?.table === name)
  const isCorrelated = (subquery: Node) =>
    tablesIn(subquery).some(table => tenantTables.has(table)) && all(subquery, ['ColumnRef']).some(isOutside)
  if (subqueries([body.targetList, body.whereClause]).some(isCorrelated))
    yield 'a subquery over all organizations refers to the row outside it'
}

function* returning({ body }: Found, { changingFunctions }: Context) {
  for (const name of functionsIn(body.returningClause))
    if (changingFunctions.has(name) || functionsOfTime.includes(name)) yield `RETURNING calls ${name}, which is not IMMUTABLE`
}

function* onConflict({ body }: Found, context: Context) {
  for (const name of calls((body.onConflictClause as Node | undefined)?.targetList, context))
    yield `ON CONFLICT DO UPDATE calls ${name}, which is not IMMUTABLE`
}

function* values({ body }: Found) {
  const { valuesLists } = ((body.selectStmt as Node | undefined)?.SelectStmt ?? {}) as { valuesLists?: Node[] }
  if (subqueries(valuesLists).length > 0) yield 'VALUES contains a subquery: use INSERT … SELECT'
}

function* numberedRows({ body }: Found) {
  const { targetList, fromClause } = ((body.selectStmt as Node | undefined)?.SelectStmt ?? {}) as Node
  if (!all(targetList, ['FuncCall']).some(({ body: call }) => call.over)) return
  const isBoundByParameter = (condition: Node) =>
    all(condition, ['ParamRef']).length > 0 &&
    all(condition, ['ColumnRef']).some(({ body: column }) => columnOf({ ColumnRef: column })?.column === 'organization_id')
  if (all(fromClause, ['JoinExpr']).some(({ body: join }) => conjunctsOf(join.quals).some(isBoundByParameter)))
    yield 'INSERT … SELECT with a window function joins a table by a parameter: join it by the organization_id of the other'
}

function* whereCalls({ body }: Found, { changingFunctions }: Context) {
  for (const { body: call } of all(body.whereClause, ['FuncCall']))
    if (all(call.args, ['ColumnRef']).length > 0)
      for (const name of functionsIn({ FuncCall: call }))
        if (changingFunctions.has(name) || functionsOfTime.includes(name))
          yield `WHERE calls ${name}, which is not IMMUTABLE, with a column`
}

/** If it is found false while the statement is planned, Citus 13.2 silently skips the other parts, or the worker crashes. */
function* parametersAlone({ body }: Found, { hasSeveralWrites }: Context) {
  if (hasSeveralWrites && conjunctsOf(body.whereClause).some(isOfParameters))
    yield 'one of several writes has a condition on parameters alone: put the condition into a subquery'
}

function* sharedByTenants({ body }: Found, { tenantTables, sharedTables }: Context) {
  const read = subqueries(body.whereClause).flatMap(tablesIn)
  if (sharedTables.has(targetOf(body)) && read.some(table => tenantTables.has(table)))
    yield 'a table that is on every server is changed by rows of an organization: read those first'
}

function* setCalls({ body }: Found, context: Context) {
  for (const { body: part } of all(body.targetList, ['CaseExpr', 'CoalesceExpr']))
    for (const name of calls(part, context)) yield `CASE or COALESCE in SET calls ${name}, which is not IMMUTABLE`
}

function calls(node: unknown, { changingFunctions }: Context) {
  return functionsIn(node).filter(name => changingFunctions.has(name))
}

function conjunctsOf(condition: unknown) {
  return condition === undefined ? [] : conjuncts(condition as Node)
}

/** Neither a column nor a constant such as `on true`. */
function isOfParameters(condition: Node) {
  return all(condition, ['ParamRef']).length > 0 && all(condition, ['ColumnRef', 'SubLink']).length === 0
}

function isSemiJoin(condition: unknown) {
  return all(condition, ['SubLink']).some(({ body }) => body.subLinkType !== 'EXPR_SUBLINK' && body.subLinkType !== 'ARRAY_SUBLINK')
}

function tablesIn(node: unknown) {
  return all(node, ['RangeVar', ...writing]).map(({ kind, body }) => (kind === 'RangeVar' ? String(body.relname) : targetOf(body)))
}

function targetOf(write: Node) {
  return (write.relation as Node).relname as string
}

function functionsIn(node: unknown) {
  return all(node, ['FuncCall']).map(({ body }) => (list(body.funcname).at(-1) as { String: { sval: string } }).String.sval)
}

/** The nodes of these kinds anywhere below, added to `found`. */
function all(node: unknown, kinds: readonly string[], found: Found[] = []): Found[] {
  if (Array.isArray(node)) for (const each of node) all(each, kinds, found)
  else if (typeof node === 'object' && node !== null)
    for (const [kind, value] of Object.entries(node)) {
      if (kinds.includes(kind)) found.push({ kind, body: value as Node })
      all(value, kinds, found)
    }
  return found
}
