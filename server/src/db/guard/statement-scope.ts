import { casts, columnOf, conjuncts, equalities, isParameter, list, type Node, nameOf, subqueries } from './statement-tree.ts'

// The rule: each tenant table in a query must have its organization_id equal to a parameter, or to a column that is proved equal to one.
// "Bound" means proved so: the column holds the parameter's value or, on the optional side of an outer join, null.
// What the guard does not understand proves nothing, so the statement is refused.

/** A name in a FROM clause. */
interface Relation {
  name: string
  /** The column that names the organization; undefined for what has none. */
  key: string | undefined
  /** Must be bound: a tenant table, or the table of organizations. */
  tenant: boolean
  bound: boolean
  /** A function: it may have columns that cannot be known here. */
  opaque?: boolean
}
/** A column that a query returns. `*` stands for an unknown number of columns, of which organization_id may be one. */
interface Output {
  name: string
  bound: boolean
}
interface Condition {
  expression: Node
  /** The relations whose rows it filters, as ON of an outer join filters those of its optional side only; all when left out. */
  filters?: Relation[]
}
type Derived = ReadonlyMap<string, Output[]>
interface Level {
  relations: Relation[]
  outer: Level | undefined
  /** What WITH has named. */
  derived: Map<string, Output[]>
  conditions: Condition[]
  /** Inspect what may refer to the other items of the FROM clause, which must be bound before. */
  lateral: (() => void)[]
}

const organization = 'organization_id'

/** What is wrong with a SELECT, INSERT, UPDATE or DELETE; empty when it stays within one organization. */
export function inspectQuery(query: Node, tenantTables: ReadonlySet<string>): string[] {
  const inspection = new Inspection(tenantTables)
  inspection.inspect(query, undefined, new Map())
  return inspection.problems
}

/** Goes through a statement from the inside out and collects its problems. */
class Inspection {
  readonly problems: string[] = []
  private readonly tenantTables: ReadonlySet<string>

  constructor(tenantTables: ReadonlySet<string>) {
    this.tenantTables = tenantTables
  }

  /** Returns the columns that the statement answers. `outer` has the tables that a subquery may refer to, `inherited` what WITH has named around it. */
  inspect(node: Node, outer: Level | undefined, inherited: Derived): Output[] {
    const [kind, body] = Object.entries(node)[0] as [string, Node]
    const level: Level = { relations: [], outer, derived: new Map(inherited), conditions: [], lateral: [] }
    if (!['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind)) this.problems.push(`${kind} has no organization_id`)
    if (body.intoClause) this.problems.push('SELECT INTO has no organization_id')
    this.inspectWith(body.withClause as Node | undefined, level)
    if (kind === 'SelectStmt' && body.op !== 'SETOP_NONE') return this.inspectUnion(body, level)

    this.inspectSources(kind, body, level)
    for (const { name, tenant, bound, key } of level.relations) if (tenant && !bound) this.problems.push(`${name}.${key} is free`)
    this.inspectSublinks([withoutSources(body), level.conditions.map(({ expression }) => expression)], level)
    return outputsOf(body, level)
  }

  /** Brings the relations into the level, bound where that is proved. */
  private inspectSources(kind: string, body: Node, level: Level) {
    if (kind === 'InsertStmt') this.inspectInsert(body, level)
    else if (body.relation) this.addItem({ RangeVar: body.relation as Node }, level)
    if (kind === 'UpdateStmt') this.inspectTargets(body.targetList, level.relations[0] as Relation)
    for (const item of [...list(body.fromClause), ...list(body.usingClause)]) this.addItem(item, level)
    if (body.whereClause) level.conditions.push({ expression: body.whereClause as Node })
    bind(level)
    for (const inspectLateral of level.lateral) {
      inspectLateral()
      bind(level)
    }
  }

  /** Subqueries in expressions, such as `exists (select …)`. */
  private inspectSublinks(node: unknown, level: Level) {
    for (const sublink of subqueries(node)) this.inspect(sublink, level, level.derived)
  }

  /** UNION, INTERSECT and EXCEPT. */
  private inspectUnion(body: Node, level: Level): Output[] {
    const [left, right] = [body.larg, body.rarg].map(side => this.inspect({ SelectStmt: side as Node }, level.outer, level.derived))
    this.inspectSublinks({ ...body, withClause: undefined, larg: undefined, rarg: undefined }, level)
    return union(left as Output[], right as Output[])
  }

  private inspectWith(withClause: Node | undefined, level: Level) {
    for (const item of list(withClause?.ctes)) {
      const { ctename, ctequery, aliascolnames } = item.CommonTableExpr as { ctename: string; ctequery: Node; aliascolnames?: Node[] }
      const inspectAs = (query: Node) => renamed(this.inspect(query, level.outer, level.derived), aliascolnames)
      const recursion = withClause?.recursive ? (ctequery.SelectStmt as Node | undefined) : undefined
      const first = recursion?.op === 'SETOP_NONE' ? undefined : recursion?.larg
      const start = inspectAs(first ? { SelectStmt: first } : ctequery)
      level.derived.set(ctename, start)
      // Bound if the first part is, and if each recursive step keeps it bound.
      if (first && !boundByName(inspectAs(ctequery)) && boundByName(start))
        this.problems.push(`${ctename}.organization_id is free in its recursive part`)
    }
  }

  private inspectInsert(body: Node, level: Level) {
    const table = (body.relation as Node).relname as string
    const source = body.selectStmt ? this.inspect(body.selectStmt as Node, level.outer, level.derived) : []
    const tenant = this.tenantTables.has(table)
    const relation = { name: table, key: tenant ? organization : undefined, tenant: false, bound: true }
    level.relations.push(relation)
    if (!tenant) return
    const index = list(body.cols).findIndex(column => nameOf(column.ResTarget) === organization)
    const given = source.slice(0, index + 1)
    if (index === -1 || given.some(({ name }) => name === '*') || !given[index]?.bound)
      this.problems.push(`${table}.organization_id is not given by a parameter`)
    const conflict = body.onConflictClause as Node | undefined
    this.inspectTargets(conflict?.targetList, relation)
    const inferred = list((conflict?.infer as Node | undefined)?.indexElems)
    if (conflict?.action === 'ONCONFLICT_UPDATE' && !inferred.some(element => nameOf(element.IndexElem) === organization))
      this.problems.push(`${table}.organization_id is not part of what conflicts`)
  }

  /** An update must not move a row to another organization. */
  private inspectTargets(targets: unknown, { name, key }: Relation) {
    if (key && list(targets).some(target => nameOf(target.ResTarget) === key)) this.problems.push(`${name}.${key} would change`)
  }

  /** Returns the relations that the item of a FROM clause brings. */
  private addItem(item: Node, level: Level): Relation[] {
    const [kind, body] = Object.entries(item)[0] as [string, Node]
    if (kind === 'JoinExpr') return this.addJoin(body, level)
    if (kind === 'RangeTableSample') return this.addItem(body.relation as Node, level)
    const relation = this.relationOf(kind, body, level)
    level.relations.push(relation)
    return [relation]
  }

  private relationOf(kind: string, body: Node, level: Level): Relation {
    if (kind === 'RangeVar') return this.tableOf(body, level)
    if (kind === 'RangeSubselect') return this.subselectOf(body, level)
    return this.opaqueOf(kind, body, level)
  }

  private addJoin(body: Node, level: Level): Relation[] {
    if (body.alias || body.isNatural) this.problems.push('organization_id cannot be followed through a named or natural join')
    const left = this.addItem(body.larg as Node, level)
    const right = this.addItem(body.rarg as Node, level)
    const optional = { JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] }[body.jointype as string]
    const isShared = list(body.usingClause).some(column => (column.String as Node).sval === organization)
    const shared = isShared ? sameOrganization(left, right) : []
    for (const expression of [...shared, ...(body.quals ? [body.quals as Node] : [])])
      level.conditions.push({ expression, ...(optional ? { filters: optional } : {}) })
    return [...left, ...right]
  }

  /** A table, or a name that WITH has given. */
  private tableOf(body: Node, level: Level): Relation {
    const table = body.relname as string
    const { aliasname, colnames } = aliasOf(body)
    const outputs = body.schemaname === undefined ? level.derived.get(table) : undefined
    if (outputs) return derivedRelation(aliasname || table, renamed(outputs, colnames))
    const ownKey = table === 'organization' ? 'id' : undefined
    const key = this.tenantTables.has(table) ? organization : ownKey
    if (key && colnames) this.problems.push(`${aliasname} renames organization_id`)
    return { name: aliasname || table, key, tenant: key !== undefined, bound: false }
  }

  /** `(select …) as name` */
  private subselectOf(body: Node, level: Level): Relation {
    const { aliasname, colnames } = aliasOf(body)
    const relation: Relation = { name: aliasname, key: undefined, tenant: false, bound: false }
    const inspectNow = (outer: Level | undefined) =>
      Object.assign(relation, derivedRelation(aliasname, renamed(this.inspect(body.subquery as Node, outer, level.derived), colnames)))
    if (body.lateral) level.lateral.push(() => inspectNow(level))
    else inspectNow(level.outer)
    return relation
  }

  /** A function, or what the guard does not understand. */
  private opaqueOf(kind: string, body: Node, level: Level): Relation {
    if (kind === 'RangeFunction') level.lateral.push(() => this.inspectSublinks(body, level))
    else this.problems.push(`organization_id cannot be followed through ${kind}`)
    return { name: aliasOf(body).aliasname, key: undefined, tenant: false, bound: false, opaque: true }
  }
}

function aliasOf({ alias }: Node) {
  const { aliasname = '', colnames } = (alias ?? {}) as { aliasname?: string; colnames?: Node[] }
  return { aliasname, colnames }
}

/** Marks as bound everything that equals a parameter or something bound, until there is no progress. */
function bind(level: Level) {
  const pairs = level.conditions.flatMap(({ expression, filters = level.relations }) =>
    conjuncts(expression)
      .flatMap(equalities)
      .flatMap(([left, right]) => [
        { side: left, other: right, filters },
        { side: right, other: left, filters },
      ]),
  )
  for (let progress = true; progress; ) {
    progress = false
    for (const { side, other, filters } of pairs) {
      const relation = resolve(side, level)
      if (!relation || relation.bound || !filters.includes(relation) || !isBound(other, level)) continue
      relation.bound = true
      progress = true
    }
  }
}

function isBound(value: Node, level: Level): boolean {
  return isParameter(value) || resolve(value, level)?.bound === true
}

/** The relation whose key a column reference names, found as PostgreSQL finds it: in the innermost level that has it. */
function resolve(node: Node, level: Level): Relation | undefined {
  const reference = columnOf(node)
  for (let at: Level | undefined = reference && level; at && reference; at = at.outer) {
    const { table, column } = reference
    const found = at.relations.filter(({ name, key }) => (table === undefined ? key === column : name === table))
    if (found.length > 0) return found.length === 1 && found[0]?.key === column ? found[0] : undefined
    // A bare name may be a column that is not known here.
    if (table === undefined && (column !== organization || at.relations.some(({ opaque }) => opaque))) return undefined
  }
  return undefined
}

function outputsOf(body: Node, level: Level): Output[] {
  const rows = list(body.valuesLists).map(row => list((row.List as Node).items))
  if (rows.length > 0) {
    const bound = (index: number) => rows.every(row => isBound(row[index] as Node, level))
    return (rows[0] as Node[]).map((_, index) => ({ name: `column${index + 1}`, bound: bound(index) }))
  }
  const returning = (body.returningClause as Node | undefined)?.exprs
  const isSelect = body.limitOption !== undefined
  return list(isSelect ? body.targetList : returning).map(target => {
    const { name, val } = target.ResTarget as { name?: string; val: Node }
    const fields = list((val.ColumnRef as Node | undefined)?.fields)
    if (!fields.at(-1)?.A_Star) return { name: name ?? columnOf(casts(val))?.column ?? '', bound: isBound(val, level) }
    const table = (fields.at(-2)?.String as Node | undefined)?.sval
    const keys = level.relations.filter(({ name, key }) => key === organization && (table === undefined || name === table))
    return { name: '*', bound: keys.length > 0 && keys.every(({ bound }) => bound) }
  })
}

/** Whether the column organization_id of these is bound; undefined when they have none. */
function boundByName(outputs: Output[]): boolean | undefined {
  const named = outputs.filter(({ name }) => name === organization)
  const candidates = named.length > 0 ? named : outputs.filter(({ name }) => name === '*')
  return candidates.length > 0 ? candidates.every(({ bound }) => bound) : undefined
}

function derivedRelation(name: string, outputs: Output[]): Relation {
  const bound = boundByName(outputs)
  return { name, key: bound === undefined ? undefined : organization, tenant: false, bound: bound === true }
}

/** The outputs with the names of an alias's column list, by position. */
function renamed(outputs: Output[], names: Node[] | undefined): Output[] {
  if (!names) return outputs
  const isCounted = !outputs.some(({ name }) => name === '*')
  return outputs.map(({ name, bound }, index) => ({
    name: ((names[index]?.String as Node | undefined)?.sval as string | undefined) ?? name,
    bound: bound && isCounted,
  }))
}

function union(left: Output[], right: Output[]): Output[] {
  const isCounted = ![...left, ...right].some(({ name }) => name === '*')
  return left.map(({ name, bound }, index) => ({ name, bound: isCounted && bound && right[index]?.bound === true }))
}

/** The statement without its sources, which are inspected separately. */
function withoutSources(body: Node): Node {
  return { ...body, withClause: undefined, fromClause: undefined, usingClause: undefined, relation: undefined, selectStmt: undefined }
}

/** USING (organization_id) as conditions. */
function sameOrganization(left: Relation[], right: Relation[]): Node[] {
  const reference = ({ name }: Relation) => ({ ColumnRef: { fields: [{ String: { sval: name } }, { String: { sval: organization } }] } })
  const keyed = (relations: Relation[]) => relations.filter(({ key }) => key === organization)
  return keyed(left).flatMap(a =>
    keyed(right).map(b => ({
      A_Expr: { kind: 'AEXPR_OP', name: [{ String: { sval: '=' } }], lexpr: reference(a), rexpr: reference(b) },
    })),
  )
}
