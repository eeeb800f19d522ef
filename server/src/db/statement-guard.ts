import { sql } from 'kysely'
import { loadModule, parseSync } from 'libpg-query'
import { marker, reasons } from './across-organizations.ts'
import type { Db } from './db.ts'

// Every distinct statement is parsed once by PostgreSQL's own parser, in tests and development. A statement that touches a tenant table must bind
// that table's organization_id by equality to a parameter, or to the organization of a table that is bound already. What passes
// reads and writes one organization, and routes to one shard when the tables are distributed.

type Node = { [key: string]: unknown }

/** A name in a FROM clause. */
interface Relation {
  name: string
  /** The column that names the organization; undefined for what has none. */
  key: string | undefined
  /** Must be bound: a tenant table. */
  tenant: boolean
  bound: boolean
}
interface Level {
  relations: Relation[]
  outer: Level | undefined
  /** Names made by WITH. */
  derived: Set<string>
}

await loadModule()

/** Returns an inspector that throws on a statement which is not bound to one organization. */
export function statementGuard(tenantTables: ReadonlySet<string>) {
  const allowed = Object.keys(reasons).map(reason => marker(reason as keyof typeof reasons))

  return (text: string) => {
    if (allowed.some(comment => text.trimStart().startsWith(comment))) return
    if (
      /^\s*(create|alter|drop|set|begin|commit|rollback|savepoint|release|copy|listen|notify|show|analyze|vacuum|truncate|start)\b/i.test(
        text,
      )
    )
      return
    const problems: string[] = []
    const { stmts = [] } = parseSync(text) as { stmts?: { stmt?: Node }[] }
    for (const { stmt } of stmts) if (stmt) inspect(stmt, undefined, new Set(), problems)
    if (problems.length > 0) {
      throw new Error(
        `Statement is not bound to one organization: ${problems.join('; ')}. Bind organization_id, or state the reason (across-organizations.ts).\n${text}`,
      )
    }
  }

  function inspect(node: Node, outer: Level | undefined, inherited: ReadonlySet<string>, problems: string[]) {
    const [kind, body] = Object.entries(node)[0] as [string, Node]
    if (!['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'].includes(kind)) return
    const level: Level = { relations: [], outer, derived: new Set(inherited) }
    inspectWith(body.withClause as Node | undefined, level, problems)
    if (kind === 'SelectStmt' && body.op !== undefined && body.op !== 'SETOP_NONE') {
      for (const side of [body.larg, body.rarg]) inspect({ SelectStmt: side as Node }, outer, level.derived, problems)
      return
    }

    const conditions: Node[] = []
    if (kind === 'InsertStmt') inspectInsert(body, level, problems)
    else if (body.relation) addRelation({ RangeVar: body.relation as Node }, level, conditions, problems)
    for (const item of [...list(body.fromClause), ...list(body.usingClause)]) addRelation(item, level, conditions, problems)
    if (body.whereClause) conditions.push(body.whereClause as Node)
    bind(level, conditions.flatMap(conjuncts))
    for (const { name, tenant, bound } of level.relations) if (tenant && !bound) problems.push(`${name}.organization_id is free`)

    const rest = {
      ...body,
      withClause: undefined,
      fromClause: undefined,
      usingClause: undefined,
      relation: undefined,
      selectStmt: undefined,
    }
    for (const sublink of subqueries([rest, conditions])) inspect(sublink, level, level.derived, problems)
  }

  function inspectWith(withClause: Node | undefined, level: Level, problems: string[]) {
    for (const item of list(withClause?.ctes)) {
      const cte = item.CommonTableExpr as Node
      if (withClause?.recursive) level.derived.add(cte.ctename as string)
      inspect(cte.ctequery as Node, level.outer, level.derived, problems)
      level.derived.add(cte.ctename as string)
    }
  }

  function inspectInsert(body: Node, level: Level, problems: string[]) {
    const table = (body.relation as Node).relname as string
    const source = body.selectStmt as Node | undefined
    if (source) inspect(source, level.outer, level.derived, problems)
    if (!tenantTables.has(table)) return
    const index = list(body.cols).findIndex(column => (column.ResTarget as Node).name === 'organization_id')
    const select = source?.SelectStmt as Node | undefined
    const rows = list(select?.valuesLists).map(row => list((row.List as Node).items)[index])
    const values = rows.length > 0 ? rows : [(list(select?.targetList)[index]?.ResTarget as Node | undefined)?.val as Node | undefined]
    const isBound = (value: Node | undefined) =>
      value !== undefined && (isParameter(value) || columnOf(value)?.column === 'organization_id')
    if (index === -1 || !values.every(isBound)) problems.push(`${table}.organization_id is not given by a parameter`)
    level.relations.push({ name: table, key: 'organization_id', tenant: false, bound: true })
  }

  function addRelation(item: Node, level: Level, conditions: Node[], problems: string[]) {
    const [kind, body] = Object.entries(item)[0] as [string, Node]
    const alias = ((body.alias as Node | undefined)?.aliasname as string | undefined) ?? ''
    if (kind === 'JoinExpr') {
      const before = level.relations.length
      addRelation(body.larg as Node, level, conditions, problems)
      addRelation(body.rarg as Node, level, conditions, problems)
      if (body.quals) conditions.push(body.quals as Node)
      const isShared = list(body.usingClause).some(column => (column.String as Node).sval === 'organization_id')
      if (isShared) conditions.push(...sameOrganization(level.relations.slice(before)))
    } else if (kind === 'RangeVar') {
      const table = body.relname as string
      const isDerived = body.schemaname === undefined && level.derived.has(table)
      const tenant = !isDerived && tenantTables.has(table)
      const key = tenant || isDerived ? 'organization_id' : table === 'organization' ? 'id' : undefined
      level.relations.push({ name: alias || table, key, tenant, bound: isDerived })
    } else if (kind === 'RangeSubselect') {
      inspect(body.subquery as Node, level, level.derived, problems)
      level.relations.push({ name: alias, key: 'organization_id', tenant: false, bound: true })
    } else if (kind === 'RangeFunction') {
      for (const sublink of subqueries(body)) inspect(sublink, level, level.derived, problems)
      level.relations.push({ name: alias, key: undefined, tenant: false, bound: false })
    }
  }

  /** Marks as bound whatever equals a parameter, or equals something bound, until nothing more follows. */
  function bind(level: Level, conditions: Node[]) {
    for (let progress = true; progress; ) {
      progress = false
      for (const [left, right] of conditions.flatMap(equalities)) {
        for (const [side, other] of [
          [left, right],
          [right, left],
        ] as const) {
          const relation = resolve(side, level)
          if (relation && !relation.bound && (isParameter(other) || resolve(other, level)?.bound)) {
            relation.bound = true
            progress = true
          }
        }
      }
    }
  }

  function resolve(node: Node, level: Level): Relation | undefined {
    const reference = columnOf(node)
    for (let at: Level | undefined = reference && level; at && reference; at = at.outer) {
      const found =
        reference.table === undefined
          ? at.relations.filter(({ key }) => key === reference.column)
          : at.relations.filter(({ name, key }) => name === reference.table && key === reference.column)
      if (found.length === 1) return found[0]
    }
    return undefined
  }
}

function list(value: unknown): Node[] {
  return Array.isArray(value) ? (value as Node[]) : []
}

function isParameter(node: Node): boolean {
  if (node.TypeCast) return isParameter((node.TypeCast as Node).arg as Node)
  return node.ParamRef !== undefined || node.A_Const !== undefined
}

function columnOf(node: Node): { table: string | undefined; column: string } | undefined {
  if (node.TypeCast) return columnOf((node.TypeCast as Node).arg as Node)
  const fields = list((node.ColumnRef as Node | undefined)?.fields).map(
    field => (field.String as Node | undefined)?.sval as string | undefined,
  )
  const column = fields.at(-1)
  return column === undefined ? undefined : { table: fields.at(-2), column }
}

function conjuncts(condition: Node): Node[] {
  const expression = condition.BoolExpr as Node | undefined
  return expression?.boolop === 'AND_EXPR' ? list(expression.args).flatMap(conjuncts) : [condition]
}

/** The pairs that an `=` makes equal; `(a, b) = (c, d)` makes two. */
function equalities(condition: Node): [Node, Node][] {
  const expression = condition.A_Expr as Node | undefined
  const operator = (list(expression?.name)[0]?.String as Node | undefined)?.sval
  if (expression?.kind !== 'AEXPR_OP' || operator !== '=') return []
  const [left, right] = [expression.lexpr as Node, expression.rexpr as Node]
  const [leftRow, rightRow] = [left.RowExpr, right.RowExpr] as (Node | undefined)[]
  if (!leftRow || !rightRow) return [[left, right]]
  return list(leftRow.args).map((item, index) => [item, list(rightRow.args)[index] as Node])
}

/** What USING (organization_id) says, as conditions. */
function sameOrganization(relations: Relation[]): Node[] {
  const reference = ({ name }: Relation) => ({
    ColumnRef: { fields: [{ String: { sval: name } }, { String: { sval: 'organization_id' } }] },
  })
  const [first, ...others] = relations.filter(({ key }) => key === 'organization_id')
  if (!first) return []
  return others.map(other => ({
    A_Expr: { kind: 'AEXPR_OP', name: [{ String: { sval: '=' } }], lexpr: reference(first), rexpr: reference(other) },
  }))
}

/** The outermost subqueries anywhere below a node. */
function subqueries(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(subqueries)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([kind, value]) => {
    if (kind === 'SelectStmt') return [{ SelectStmt: value as Node }]
    return subqueries(value)
  })
}

/** The guard of a database's tenant tables: those with the column. */
export async function statementGuardOf(db: Db) {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`.execute(db)
  return statementGuard(new Set(rows.map(({ name }) => name)))
}
