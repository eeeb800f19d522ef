/** Finds the schemas of a call. For the server only: the browser has just the types. */

import type { Call, Shape } from './call.ts'
import * as shapesByName from './call-shapes.ts'
import * as calls from './calls.ts'

/** A call and its shape are exports of the same name. */
const shapes = new Map<unknown, Shape | undefined>(
  Object.entries(calls).map(([name, call]) => [call, (shapesByName as unknown as Record<string, Shape>)[name]]),
)

export function shapeOf(call: Call): Shape {
  const shape = shapes.get(call)
  if (!shape) throw new Error(`The contract has no shape for ${call.name}`)
  return shape
}
