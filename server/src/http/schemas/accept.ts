import * as Type from 'typebox'
import { validatorOf } from './lazy-schemas.ts'

const alone = new WeakMap<Type.TSchema, Type.TSchema>()

/** The value as a call would take it: trimmed, for example. `undefined` if the schema refuses it. */
export function accept<T extends Type.TSchema>(schema: T, value: unknown): Type.Static<T> | undefined {
  // A keyword such as `trimmed` changes the property that has the value, so there must be one.
  const property = { value: value }
  const form = alone.get(schema) ?? Type.Object({ value: schema })
  alone.set(schema, form)
  return validatorOf(form)(property) ? (property.value as Type.Static<T>) : undefined
}
