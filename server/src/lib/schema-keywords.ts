import type { FuncKeywordDefinition } from 'ajv'

/** Ajv keywords of the contract (scalars.ts): limits that JSON Schema cannot say. */
export const schemaKeywords: FuncKeywordDefinition[] = [
  {
    keyword: 'trimmed',
    type: 'string',
    modifying: true,
    errors: true,
    validate: function trimmed(limit: { maxLength?: number; maxBytes?: number }, value: string, _schema, context) {
      const text = value.trim()
      const problem =
        text === ''
          ? 'must not be blank'
          : limit.maxLength !== undefined && text.length > limit.maxLength
            ? `must not have more than ${limit.maxLength} characters`
            : limit.maxBytes !== undefined && Buffer.byteLength(text) > limit.maxBytes
              ? `must not have more than ${limit.maxBytes} bytes`
              : undefined
      if (problem) {
        ;(trimmed as { errors?: unknown[] }).errors = [{ keyword: 'trimmed', message: problem, params: {} }]
        return false
      }
      if (context) context.parentData[context.parentDataProperty] = text
      return true
    } as FuncKeywordDefinition['validate'] & object,
  },
  {
    keyword: 'maxBytes',
    type: 'string',
    validate: (limit: number, value: string) => value.length * 3 <= limit || Buffer.byteLength(value) <= limit,
    error: { message: ({ schema }) => `must not have more than ${schema} bytes` },
  },
] as FuncKeywordDefinition[]
