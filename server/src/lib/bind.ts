/** Adds a value to the parameters of a statement, and returns its name in the text: `$5`. */
export type Bind = (value: unknown) => string

export function bindTo(parameters: unknown[]): Bind {
  return value => `$${parameters.push(value)}`
}
