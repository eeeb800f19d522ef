import { Ajv } from 'ajv'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'
import { schemaKeywords } from './schema-keywords.ts'

const ajv = new Ajv({ addUsedSchema: false, keywords: schemaKeywords })

/**
 * Compiles the schemas of a call when it is first called. Compiling those of all calls took two fifths of the processor time of a start, and
 * a process needs few of them in its first seconds.
 */
export function compileSchemasLazily(app: FastifyInstance) {
  app.setValidatorCompiler(({ schema }) => {
    const validate = once(() => ajv.compile(schema))
    return data => (validate()(data) ? true : { error: validate().errors ?? [] })
  })
  app.setSerializerCompiler(({ schema }) => {
    const serialize = once(() => fastJson(schema))
    return data => serialize()(data)
  })
}

function once<T>(make: () => T) {
  let made: T | undefined
  return () => (made ??= make())
}
