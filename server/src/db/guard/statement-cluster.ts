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

/** What a cluster refuses of a SELECT, INSERT, UPDATE or DELETE; `across` is one that is not bound to an organization. */
export function clusterProblems(
  statement: Node,
  { tenantTables, sharedTables, changingFunctions }: ClusterSchema,
  across: boolean,
): string[] {
  const isPlaced = (table: string) => tenantTables.has(table) || sharedTables.has(table)
  const problems: string[] = []
  const bodies = all(statement, ['SelectStmt', ...writing])
  const writes = bodies.filter(({ kind }) => kind !== 'SelectStmt')
  if (!tablesIn(statement).some(isPlaced)) return []

  for (const { kind, body } of bodies) {
    const { ctes, recursive } = (body.withClause ?? {}) as { ctes?: Node[]; recursive?: boolean }
    if (recursive && (kind !== 'SelectStmt' || all(ctes, writing).length > 0))
      problems.push('a recursive WITH beside one that writes: put it into the subquery that needs it')
    for (const cte of list(ctes)) {
      const { ctename, ctequery } = cte.CommonTableExpr as { ctename: string; ctequery: Node }
      const locking = ctequery.SelectStmt as Node | undefined
      if (locking?.lockingClause && subqueries(locking.whereClause).length > 0 && isSemiJoin(locking.whereClause))
        problems.push(`${ctename} locks the rows that a subquery names: name them by a parameter`)
    }
    for (const { body: join } of all(body.fromClause, ['JoinExpr']))
      if (join.jointype !== 'JOIN_INNER' && conjunctsOf(join.quals).some(isOfParameters))
        problems.push('an outer join has a condition on parameters alone')
    if (across && body.lockingClause && tablesIn(body.fromClause).some(table => tenantTables.has(table)))
      problems.push('rows of several organizations are locked: lock them organization by organization')
    if (across && isCorrelated(body)) problems.push('a subquery over all organizations refers to the row outside it')
  }
  for (const { kind, body } of writes) {
    if (!isPlaced((body.relation as Node).relname as string)) continue
    for (const name of calls(body.returningClause)) problems.push(`RETURNING calls ${name}, which is not IMMUTABLE`)
    for (const name of calls((body.onConflictClause as Node | undefined)?.targetList))
      problems.push(`ON CONFLICT DO UPDATE calls ${name}, which is not IMMUTABLE`)
    if (kind === 'InsertStmt') {
      const { valuesLists } = ((body.selectStmt as Node | undefined)?.SelectStmt ?? {}) as { valuesLists?: Node[] }
      if (subqueries(valuesLists).length > 0) problems.push('VALUES contains a subquery: use INSERT … SELECT')
      continue
    }
    const where = body.whereClause as Node | undefined
    const tested = conjunctsOf(where)
    for (const { body: call } of all(where, ['FuncCall']))
      if (all(call.args, ['ColumnRef']).length > 0)
        for (const name of functionsIn({ FuncCall: call }).filter(each => changingFunctions.has(each) || functionsOfTime.includes(each)))
          problems.push(`WHERE calls ${name}, which is not IMMUTABLE, with a column`)
    // If it is found false while the statement is planned, Citus 13.2 silently skips the other parts, or the worker crashes.
    if (writes.length > 1 && tested.some(isOfParameters))
      problems.push('one of several writes has a condition on parameters alone: put the condition into a subquery')
    if (
      sharedTables.has((body.relation as Node).relname as string) &&
      subqueries(where)
        .flatMap(tablesIn)
        .some(table => tenantTables.has(table))
    )
      problems.push('a table that is on every server is changed by rows of an organization: read those first')
    if (kind !== 'UpdateStmt') continue
    for (const { body: part } of all(body.targetList, ['CaseExpr', 'CoalesceExpr']))
      for (const name of calls(part)) problems.push(`CASE or COALESCE in SET calls ${name}, which is not IMMUTABLE`)
  }
  if (functionsIn(statement).some(name => name.startsWith('pg_advisory')) && tablesIn(statement).some(table => tenantTables.has(table)))
    problems.push('an advisory lock is taken on the server of the rows: take it in a statement of its own')
  return problems

  function calls(node: unknown) {
    return functionsIn(node).filter(name => changingFunctions.has(name))
  }

  /** Whether a subquery on a tenant table refers to a column of this query, which itself reads only tables that are on every server. */
  function isCorrelated(body: Node) {
    const aliases = all(body.fromClause, ['RangeVar']).map(({ body: { relname, alias } }) => ({
      table: relname as string,
      name: ((alias as Node | undefined)?.aliasname ?? relname) as string,
    }))
    if (aliases.length === 0 || !aliases.every(({ table }) => sharedTables.has(table))) return false
    return subqueries([body.targetList, body.whereClause]).some(
      subquery =>
        tablesIn(subquery).some(table => tenantTables.has(table)) &&
        all(subquery, ['ColumnRef']).some(({ body: column }) =>
          aliases.some(({ name }) => columnOf({ ColumnRef: column })?.table === name),
        ),
    )
  }
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
  return all(node, ['RangeVar', ...writing]).map(({ kind, body }) =>
    String(kind === 'RangeVar' ? body.relname : (body.relation as Node).relname),
  )
}

function functionsIn(node: unknown) {
  return all(node, ['FuncCall']).map(({ body }) => (list(body.funcname).at(-1) as { String: { sval: string } }).String.sval)
}

/** The nodes of these kinds anywhere below. */
function all(node: unknown, kinds: readonly string[]): { kind: string; body: Node }[] {
  if (Array.isArray(node)) return node.flatMap(each => all(each, kinds))
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([kind, value]) => [
    ...(kinds.includes(kind) ? [{ kind, body: value as Node }] : []),
    ...all(value, kinds),
  ])
}
