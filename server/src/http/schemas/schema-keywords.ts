import { isBlank, isOneLine, isSeen, lineFeeds } from '@tessera/contract/names'
import type { FuncKeywordDefinition } from 'ajv'

type Validate = FuncKeywordDefinition['validate'] & object
type Context = Parameters<Validate>[3]

/** Puts the value where the validated one is. */
function replace(context: Context, value: string) {
  if (context) context.parentData[context.parentDataProperty] = value
}

/** A keyword that changes the text before its length is checked. */
function changing(keyword: string, change: (text: string) => string): FuncKeywordDefinition {
  const validate: Validate = (_true: true, value: string, _schema, context) => {
    replace(context, change(value))
    return true
  }
  return { keyword, type: 'string', before: 'maxLength', modifying: true, validate }
}

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
      replace(context, text)
      return true
    } as Validate,
  },
  changing('composed', text => text.normalize('NFC')),
  changing('lineFeeds', lineFeeds),
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
