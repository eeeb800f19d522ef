import type pg from 'pg'
import { poolsOf } from '../../src/db/connections/connect.ts'
import { type Db, onRun } from '../../src/db/db.ts'
import type { Shape } from '../../src/db/shape.ts'

const declared = new Map<string, Shape>()
onRun(({ text, shape }) => declared.set(text, shape))

/** From now on each answer to a statement of this database must be the row that the statement declares. Call it before the pool has a connection. */
export function checkDeclaredRows(db: Db) {
  const check = (client: pg.PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((text: string, ...rest: unknown[]) => {
      const answer = query(text, ...rest)
      const shape = declared.get(text)
      return shape && answer instanceof Promise ? answer.then(result => requireDeclared(text, shape, result)) : answer
    }) as typeof client.query
  }
  for (const pool of poolsOf(db)) pool.on('connect', check)
}

function requireDeclared(text: string, shape: Shape, result: pg.QueryResult) {
  const problems = differences(shape, result)
  if (problems.length > 0) throw new Error(`A statement answers another row than it declares: ${problems.join('; ')}\n${text}`)
  return result
}

function differences(shape: Shape, { fields, rows }: Pick<pg.QueryResult, 'fields' | 'rows'>): string[] {
  const types = new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID]))
  return [
    ...fields.filter(({ name }) => !Object.hasOwn(shape, name)).map(({ name }) => `${name} is not declared`),
    ...Object.entries(shape).flatMap(([name, { oid, nullable }]) => {
      if (!types.has(name)) return [`${name} is not answered`]
      if (types.get(name) !== oid) return [`${name} is of type ${types.get(name)}, not ${oid}`]
      return !nullable && rows.some(row => row[name] === null) ? [`${name} is null`] : []
    }),
  ]
}
