import pg from 'pg'
import { serialize } from 'pg-protocol'

interface Field {
  name: string
  dataTypeID: number
  format: 'text' | 'binary'
}
interface Column {
  name: string
  parse: (value: string) => unknown
}
/** Of a connection: the columns of each statement that was answered on it, by the statement's name. */
export type KnownColumns = Map<string, Column[]>

const execute = Buffer.concat([serialize.execute(), serialize.sync()])
/** The driver's own, which its types do not name or do not know whole. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => string | Buffer | null } }).utils
const { submit: submitUnknown } = pg.Query.prototype as unknown as Pick<PreparedQuery, 'submit'>

/**
 * A named statement as the driver sends it, but for two things. What it answers is described the first time only, and all that is sent goes as one piece. And rows are
 * plain objects: the driver's own reading copies the whole configuration of the query and, for each row, a model object without a prototype, longer than all else it does.
 */
export class PreparedQuery extends pg.Query {
  readonly name: string
  declare readonly values: unknown[]
  declare private readonly _result: { rows: unknown[]; fields: Field[]; _types: pg.CustomTypesConfig }
  /** The driver calls it to send the statement; an error means that nothing was sent. */
  declare submit: (connection: pg.Connection) => Error | null
  declare private _canceledDueToError: unknown
  readonly isKnown: boolean
  readonly #known: KnownColumns
  #columns: Column[]

  constructor(
    name: string,
    text: string,
    values: unknown[],
    known: KnownColumns,
    done: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    super(text, values, done)
    this.name = name
    this.#known = known
    const columns = known.get(name)
    this.#columns = columns ?? []
    this.isKnown = columns !== undefined
    this.submit = submit
  }

  handleRowDescription({ fields }: { fields: Field[] }) {
    const { _result: result } = this
    this.#columns = fields.map(({ name, dataTypeID, format }) => ({ name, parse: result._types.getTypeParser(dataTypeID, format) }))
    this.#known.set(this.name, this.#columns)
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }) {
    const row: Record<string, unknown> = {}
    try {
      let index = 0
      for (const { name, parse } of this.#columns) {
        const value = values[index++] ?? null
        row[name] = value === null ? null : parse(value)
      }
    } catch (error) {
      this._canceledDueToError = error // answered when the statement has ended
      return
    }
    this._result.rows.push(row)
  }
}

function submit(this: PreparedQuery, connection: pg.Connection): Error | null {
  let bound: Buffer
  try {
    bound = serialize.bind({ statement: this.name, values: this.values, valueMapper: prepareValue })
  } catch (error) {
    // Left to the driver, PostgreSQL would forget the name, and whoever comes next would be refused.
    return error as Error
  }
  if (!this.isKnown) return submitUnknown.call(this, connection)
  connection.stream.write(Buffer.concat([bound, execute]))
  return null
}
