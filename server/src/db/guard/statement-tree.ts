/** A node of PostgreSQL's parse tree: `{ SelectStmt: { … } }`, or the body below such a name. */
export type Node = { [key: string]: unknown }

export function list(value: unknown): Node[] {
  return Array.isArray(value) ? (value as Node[]) : []
}

export function nameOf(node: unknown): string | undefined {
  return (node as { name?: string } | undefined)?.name
}

/** The node without casts between integers, which keep a value. Other casts may make different values equal. */
export function casts(node: Node): Node {
  const cast = node.TypeCast as { arg: Node; typeName: { names: { String: { sval: string } }[] } } | undefined
  const type = cast?.typeName.names.at(-1)?.String.sval ?? ''
  return cast && ['int8', 'int4'].includes(type) ? casts(cast.arg) : node
}

/** Literals do not count: they would name the same organization for every caller. */
export function isParameter(node: Node): boolean {
  return casts(node).ParamRef !== undefined
}

export function columnOf(node: Node): { table: string | undefined; column: string } | undefined {
  const fields = list((casts(node).ColumnRef as Node | undefined)?.fields).map(
    field => (field.String as Node | undefined)?.sval as string | undefined,
  )
  const column = fields.at(-1)
  return column === undefined ? undefined : { table: fields.at(-2), column }
}

/** The parts of a condition that all must hold. */
export function conjuncts(condition: Node): Node[] {
  const expression = condition.BoolExpr as Node | undefined
  return expression?.boolop === 'AND_EXPR' ? list(expression.args).flatMap(conjuncts) : [condition]
}

/** The pairs that an `=` makes equal; `(a, b) = (c, d)` makes two. */
export function equalities(condition: Node): [Node, Node][] {
  const expression = condition.A_Expr as Node | undefined
  const operator = (list(expression?.name)[0]?.String as Node | undefined)?.sval
  if (expression?.kind !== 'AEXPR_OP' || operator !== '=') return []
  const [left, right] = [expression.lexpr as Node, expression.rexpr as Node]
  const [leftRow, rightRow] = [left.RowExpr, right.RowExpr] as (Node | undefined)[]
  if (!leftRow || !rightRow) return [[left, right]]
  return list(leftRow.args).map((item, index) => [item, list(rightRow.args)[index] as Node])
}

/** The outermost subqueries anywhere below a node, added to `found`. */
export function subqueries(node: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(node)) for (const each of node) subqueries(each, found)
  else if (typeof node === 'object' && node !== null)
    for (const [kind, value] of Object.entries(node)) {
      if (kind === 'SelectStmt') found.push({ SelectStmt: value as Node })
      else subqueries(value, found)
    }
  return found
}
