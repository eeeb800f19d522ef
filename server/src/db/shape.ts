// The row of a statement, declared once at run time: TypeScript takes its type from it, and the tests compare it with what PostgreSQL
// describes and answers (server/test/postgres/declared-rows.ts).

/** The PostgreSQL type of a column; its values have the type `Value` here. */
export interface Column<Value> {
  readonly oid: number
  readonly nullable: boolean
  readonly value?: Value
}
export type Shape = { readonly [name: string]: Column<unknown> }
export type RowOf<S extends Shape> = { [Name in keyof S]: S[Name] extends Column<infer Value> ? Value : never }

const column = <Value>(oid: number): Column<Value> => ({ oid, nullable: false })

export const bool = column<boolean>(16)
export const bytea = column<Buffer>(17)
export const int8 = column<number>(20)
export const int2 = column<number>(21)
export const int4 = column<number>(23)
export const text = column<string>(25)
export const float8 = column<number>(701)
export const timestamptz = column<Date>(1184)
export const uuid = column<string>(2950)
export const int4Array = column<number[]>(1007)
export const textArray = column<string[]>(1009)
/** The `void` that a function without a result returns, such as pg_notify. */
export const nothing = column<string>(2278)
/** JSON; its content is declared, not checked. */
export const json = <Value>() => column<Value>(114)
export const jsonb = <Value>() => column<Value>(3802)

export function nullable<Value>({ oid }: Column<Value>): Column<Value | null> {
  return { oid, nullable: true }
}

/** A column with only some values of its type: `as<Phase>(int2)`. */
export function as<Value>({ oid, nullable }: Column<unknown>): Column<Value> {
  return { oid, nullable }
}

/** A boolean as the API has it: `(…)::int`. */
export const flag = as<0 | 1>(int4)

/** The same columns, each of which may be null: those of the optional side of an outer join. */
export function allNullable(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).map(([name, each]) => [name, nullable(each)]))
}
