import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { SharedConnections } from './connections/shared-connections.ts'
import type { RowOf, Shape } from './shape.ts'
import type { Tables } from './tables.ts'

/** Either the pool or an open transaction: every query takes it as its first argument and none can reach another. */
export type Db = Kysely<Tables>

/** The connections for short reads of each pool that has some. */
export const sharedConnections = new WeakMap<Db, SharedConnections>()

/** A hand-written statement, for paths where building it for each request would cost more than running it. */
export interface Statement<Row> {
  readonly text: string
  /** Compared with what PostgreSQL answers, in the tests. */
  readonly shape: Shape
  readonly isShort?: boolean
  readonly row?: Row
}

export function statement<S extends Shape>(shape: S, text: string): Statement<RowOf<S>> {
  return { text, shape }
}

/** A read of a bounded number of rows by an index that never waits for a lock: several of them share a connection. */
export function shortRead<S extends Shape>(shape: S, text: string): Statement<RowOf<S>> {
  return { text, shape, isShort: true }
}

/** Begins the text of a statement that is not prepared. */
export const unprepared = '/* unprepared */'

/**
 * A statement whose best plan depends on its parameters, or whose text varies: never prepared. A list of all people of an organization or project is one:
 * PostgreSQL soon plans a prepared one for an organization of average size, and then looks up each of 10,000 accounts by an index.
 */
export function unpreparedStatement<S extends Shape>(shape: S, text: string): Statement<RowOf<S>> {
  return { text: `${unprepared} ${text}`, shape }
}

/** Makes what belongs to each combination of keys, such as a statement, when it is first used. */
export function memoize<Keys extends (string | number | boolean)[], T>(make: (...keys: Keys) => T) {
  const made = new Map<string, T>()
  return (...keys: Keys): T => {
    const key = keys.join()
    const known = made.get(key) ?? make(...keys)
    made.set(key, known)
    return known
  }
}

let watchers: ((statement: Statement<unknown>) => void)[] = []

/** Reports each statement before it is sent. */
export function onRun(watcher: (statement: Statement<unknown>) => void) {
  watchers = [...watchers, watcher]
}

export async function run<Row>(db: Db, statement: Statement<Row>, parameters: readonly unknown[]): Promise<Row[]> {
  for (const watch of watchers) watch(statement)
  const { text, isShort } = statement
  const shared = isShort ? sharedConnections.get(db) : undefined
  const answer = (await shared?.query(text, parameters)) ?? (await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters])))
  return answer.rows as Row[]
}

/** The rows of a query that is composed at run time: Kysely's `sql`, with a shape like that of a `statement`. */
export function queryRows<S extends Shape>(db: Db, shape: S) {
  return async (strings: TemplateStringsArray, ...parts: unknown[]): Promise<RowOf<S>[]> => {
    const query = sql<RowOf<S>>(strings, ...parts).compile(db)
    for (const watch of watchers) watch({ text: query.sql, shape })
    return (await db.executeQuery(query)).rows
  }
}
