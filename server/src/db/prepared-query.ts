import pg from 'pg'

interface Field {
  name: string
  dataTypeID: number
  format: 'text' | 'binary'
}

/**
 * A named statement as the driver sends it, whose rows are plain objects. The driver's own reading copies the whole configuration of the query and,
 * for each row, a model object without a prototype: longer than all else it does.
 */
export class PreparedQuery extends pg.Query {
  readonly name: string
  declare private readonly _result: { rows: unknown[]; fields: Field[]; _types: pg.CustomTypesConfig }
  declare private _canceledDueToError: unknown
  #columns: { name: string; parse: (value: string) => unknown }[] = []

  constructor(name: string, text: string, values: unknown[], done: (error: Error | undefined, result: pg.QueryResult) => void) {
    super(text, values, done)
    this.name = name
  }

  handleRowDescription({ fields }: { fields: Field[] }) {
    const { _result: result } = this
    result.fields = fields
    this.#columns = fields.map(({ name, dataTypeID, format }) => ({ name, parse: result._types.getTypeParser(dataTypeID, format) }))
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
