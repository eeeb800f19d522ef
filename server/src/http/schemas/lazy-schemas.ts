import { Ajv, type ValidateFunction } from 'ajv'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'
import { schemaKeywords } from './schema-keywords.ts'

// Verbose: errors contain the schema, and so what a union allows.
const ajv = new Ajv({ addUsedSchema: false, verbose: true, keywords: schemaKeywords })

/**
 * Compiles the schemas of a call on first use. Compiling all of them took two fifths of the CPU time of a start, and a process needs few of them
 * in its first seconds. All applications in the process share the compiled schemas.
 */
export function compileSchemasLazily(app: FastifyInstance) {
  app.setValidatorCompiler(({ schema }) => {
    return data => {
      const validate = validatorOf(schema)
      return validate(data) ? true : { error: validate.errors ?? [] }
    }
  })
  app.setSerializerCompiler(({ schema }) => {
    return data => once(serializers, schema, () => fastJson(schema))(data)
  })
}

/** Compiled on first use, with the contract's keywords. */
export function validatorOf(schema: object) {
  return once(validators, schema, () => ajv.compile(schema))
}

const validators = new WeakMap<object, ValidateFunction>()
const serializers = new WeakMap<object, ReturnType<typeof fastJson>>()

function once<T>(made: WeakMap<object, T>, schema: object, make: () => T) {
  const before = made.get(schema)
  if (before) return before
  const result = make()
  made.set(schema, result)
  return result
}
