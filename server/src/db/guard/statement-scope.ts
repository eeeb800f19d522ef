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
}

const organization = 'organization_id'

/** What is wrong with a SELECT, INSERT, UPDATE or DELETE; empty when it stays within one organization. */
export function inspectQuery(query: Node, tenantTables: ReadonlySet<string>): string[] {
  const problems: string[] = []
  inspect(query, undefined, new Map())
  return problems

  function inspect(node: Node, outer: Level | undefined, inherited: Derived): Output[] {
    const [kind, body] = Object.entries(node)[0] as [string, Node]
    const level: Level = { relations: [], outer, derived: new Map(inherited) }
    if (!['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind)) problems.push(`${kind} has no organization_id`)
    if (body.intoClause) problems.push('SELECT INTO has no organization_id')
    inspectWith(body.withClause as Node | undefined, level)
    if (kind === 'SelectStmt' && body.op !== 'SETOP_NONE') return inspectUnion(body, level)

    const conditions: Condition[] = []
    const lateral: (() => void)[] = []
    if (kind === 'InsertStmt') inspectInsert(body, level)
    else if (body.relation) addRelation({ RangeVar: body.relation as Node }, level, conditions, lateral)
    if (kind === 'UpdateStmt') inspectTargets(body.targetList, level.relations[0] as Relation)
    for (const item of [...list(body.fromClause), ...list(body.usingClause)]) addRelation(item, level, conditions, lateral)
    if (body.whereClause) conditions.push({ expression: body.whereClause as Node })
    bind(level, conditions)
    for (const inspectLateral of lateral) {
      inspectLateral()
      bind(level, conditions)
    }
    for (const { name, tenant, bound, key } of level.relations) if (tenant && !bound) problems.push(`${name}.${key} is free`)
    inspectSublinks([withoutSources(body), conditions.map(({ expression }) => expression)], level)
    return outputsOf(body, level)
  }

  function inspectSublinks(node: unknown, level: Level) {
    for (const sublink of subqueries(node)) inspect(sublink, level, level.derived)
  }

  function inspectUnion(body: Node, level: Level): Output[] {
    const [left, right] = [body.larg, body.rarg].map(side => inspect({ SelectStmt: side as Node }, level.outer, level.derived))
    inspectSublinks({ ...body, withClause: undefined, larg: undefined, rarg: undefined }, level)
    return union(left as Output[], right as Output[])
  }

  function inspectWith(withClause: Node | undefined, level: Level) {
    for (const item of list(withClause?.ctes)) {
      const { ctename, ctequery, aliascolnames } = item.CommonTableExpr as { ctename: string; ctequery: Node; aliascolnames?: Node[] }
      const recursion = withClause?.recursive ? (ctequery.SelectStmt as Node | undefined) : undefined
      if (recursion?.larg && recursion.op !== 'SETOP_NONE') {
        // Bound if the first part is, and if each recursive step keeps it bound.
        const start = renamed(inspect({ SelectStmt: recursion.larg as Node }, level.outer, level.derived), aliascolnames)
        level.derived.set(ctename, start)
        const whole = renamed(inspect(ctequery, level.outer, level.derived), aliascolnames)
        if (boundByName(start) && !boundByName(whole)) problems.push(`${ctename}.organization_id is free in its recursive part`)
      } else {
        level.derived.set(ctename, renamed(inspect(ctequery, level.outer, level.derived), aliascolnames))
      }
    }
  }

  function inspectInsert(body: Node, level: Level) {
    const table = (body.relation as Node).relname as string
    const source = body.selectStmt ? inspect(body.selectStmt as Node, level.outer, level.derived) : []
    const tenant = tenantTables.has(table)
    const relation = { name: table, key: tenant ? organization : undefined, tenant: false, bound: true }
    level.relations.push(relation)
    if (!tenant) return
    const index = list(body.cols).findIndex(column => nameOf(column.ResTarget) === organization)
    const given = source.slice(0, index + 1)
    if (index === -1 || given.some(({ name }) => name === '*') || !given[index]?.bound)
      problems.push(`${table}.organization_id is not given by a parameter`)
    const conflict = body.onConflictClause as Node | undefined
    inspectTargets(conflict?.targetList, relation)
    const inferred = list((conflict?.infer as Node | undefined)?.indexElems)
    if (conflict?.action === 'ONCONFLICT_UPDATE' && !inferred.some(element => nameOf(element.IndexElem) === organization))
      problems.push(`${table}.organization_id is not part of what conflicts`)
  }

  /** Rows stay in their organization. */
  function inspectTargets(targets: unknown, { name, key }: Relation) {
    if (key && list(targets).some(target => nameOf(target.ResTarget) === key)) problems.push(`${name}.${key} would change`)
  }

  /** Returns the relations that the item of a FROM clause brings. */
  function addRelation(item: Node, level: Level, conditions: Condition[], lateral: (() => void)[]): Relation[] {
    const [kind, body] = Object.entries(item)[0] as [string, Node]
    const { aliasname = '', colnames } = (body.alias ?? {}) as { aliasname?: string; colnames?: Node[] }
    const add = (relation: Relation) => {
      level.relations.push(relation)
      return [relation]
    }
    if (kind === 'JoinExpr') {
      if (body.alias || body.isNatural) problems.push('organization_id cannot be followed through a named or natural join')
      const left = addRelation(body.larg as Node, level, conditions, lateral)
      const right = addRelation(body.rarg as Node, level, conditions, lateral)
      const optional = { JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] }[body.jointype as string]
      const isShared = list(body.usingClause).some(column => (column.String as Node).sval === organization)
      const shared = isShared ? sameOrganization(left, right) : []
      for (const expression of [...shared, ...(body.quals ? [body.quals as Node] : [])])
        conditions.push({ expression, ...(optional ? { filters: optional } : {}) })
      return [...left, ...right]
    }
    if (kind === 'RangeTableSample') return addRelation(body.relation as Node, level, conditions, lateral)
    if (kind === 'RangeVar') {
      const table = body.relname as string
      const outputs = body.schemaname === undefined ? level.derived.get(table) : undefined
      if (outputs) return add(derivedRelation(aliasname || table, renamed(outputs, colnames)))
      const key = tenantTables.has(table) ? organization : table === 'organization' ? 'id' : undefined
      if (key && colnames) problems.push(`${aliasname} renames organization_id`)
      return add({ name: aliasname || table, key, tenant: key !== undefined, bound: false })
    }
    if (kind === 'RangeSubselect') {
      const relation: Relation = { name: aliasname, key: undefined, tenant: false, bound: false }
      const inspectNow = (outer: Level | undefined) =>
        Object.assign(relation, derivedRelation(aliasname, renamed(inspect(body.subquery as Node, outer, level.derived), colnames)))
      if (body.lateral) lateral.push(() => inspectNow(level))
      else inspectNow(level.outer)
      return add(relation)
    }
    if (kind === 'RangeFunction') lateral.push(() => inspectSublinks(body, level))
    else problems.push(`organization_id cannot be followed through ${kind}`)
    return add({ name: aliasname, key: undefined, tenant: false, bound: false, opaque: true })
  }

  /** Marks as bound everything that equals a parameter or something bound, until there is no progress. */
  function bind(level: Level, conditions: Condition[]) {
    const pairs = conditions.flatMap(({ expression, filters = level.relations }) =>
      conjuncts(expression)
        .flatMap(equalities)
        .map(pair => ({ pair, filters })),
    )
    for (let progress = true; progress; ) {
      progress = false
      for (const { pair, filters } of pairs) {
        for (const [side, other] of [pair, pair.toReversed()] as [Node, Node][]) {
          const relation = resolve(side, level)
          if (!relation || relation.bound || !filters.includes(relation) || !isBound(other, level)) continue
          relation.bound = true
          progress = true
        }
      }
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
