import { isBlank, isOneLine, isSeen, lineFeeds } from '@tessera/contract/names'
import type { FuncKeywordDefinition } from 'ajv'

/** Ajv keywords of the contract (scalars.ts): what JSON Schema cannot say. */
export const schemaKeywords: FuncKeywordDefinition[] = [
  {
    keyword: 'trimmed',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    errors: true,
    validate: function trimmed(_true: true, value: string, schema, context) {
      const text = value.trim()
      if (text === '' && schema?.minLength) {
        ;(trimmed as { errors?: unknown[] }).errors = [{ keyword: 'trimmed', message: 'must not be blank', params: {} }]
        return false
      }
      if (context) context.parentData[context.parentDataProperty] = text
      return true
    } as FuncKeywordDefinition['validate'] & object,
  },
  {
    keyword: 'composed',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    validate: ((_true: true, value: string, _schema, context) => {
      if (context) context.parentData[context.parentDataProperty] = value.normalize('NFC')
      return true
    }) as FuncKeywordDefinition['validate'] & object,
  },
  {
    keyword: 'lineFeeds',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    validate: ((_true: true, value: string, _schema, context) => {
      if (context) context.parentData[context.parentDataProperty] = lineFeeds(value)
      return true
    }) as FuncKeywordDefinition['validate'] & object,
  },
  {
    keyword: 'notBlank',
    type: 'string',
    validate: (_true: true, value: string) => !isBlank(value),
    error: { message: 'must not be blank' },
  },
  {
    // Other keywords decide whether it may be empty.
    keyword: 'seen',
    type: 'string',
    validate: (_true: true, value: string) => value.trim() === '' || isSeen(value),
    error: { message: 'must have a character that people see' },
  },
  {
    keyword: 'oneLine',
    type: 'string',
    validate: (_true: true, value: string) => isOneLine(value),
    error: { message: 'must not have line breaks or other control characters' },
  },
  {
    keyword: 'maxBytes',
    type: 'string',
    validate: (limit: number, value: string) => value.length * 3 <= limit || Buffer.byteLength(value) <= limit,
    error: { message: ({ schema }) => `must not have more than ${schema} bytes` },
  },
] as FuncKeywordDefinition[]
