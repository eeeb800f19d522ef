import { type Db, run, type Statement, statement } from '../../../db/db.ts'
import type { RowOf, Shape } from '../../../db/shape.ts'

/** SQL with named parameters, numbered by their places in `names`; the first has the number `from`. */
export function numbered(text: string, names: readonly string[], from = 1) {
  return text.replace(parameterName, (_, name) => {
    const index = names.indexOf(name)
    if (index < 0) throw new Error(`no parameter ${name}`)
    return `$${from + index}`
  })
}
const parameterName = /\$([a-z]+)/gi

interface NamedStatement<Row> {
  statement: Statement<Row>
  /** Of its parameters, in their order. */
  names: string[]
}

/** A statement with parameters such as `$title`, because their numbers depend on the parts that it is composed of. */
export function namedStatement<S extends Shape>(shape: S, text: string): NamedStatement<RowOf<S>> {
  const names = [...new Set([...text.matchAll(parameterName)].map(([, name = '']) => name))]
  return { statement: statement(shape, numbered(text, names)), names }
}

export function runNamed<Row>(db: Db, { statement, names }: NamedStatement<Row>, parameters: Record<string, unknown>) {
  const missing = names.find(name => !Object.hasOwn(parameters, name))
  if (missing !== undefined) throw new Error(`no parameter ${missing}`)
  return run(
    db,
    statement,
    names.map(name => parameters[name]),
  )
}
