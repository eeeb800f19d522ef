import type { FastifyError } from 'fastify'

type Problem = NonNullable<FastifyError['validation']>[number]

/** What is wrong with a value, after its name: `Zone is missing`. The validator's own words are for programmers. */
export function wordsOf({ keyword, params, message = 'is not valid' }: Problem): string {
  const { limit } = params as { limit?: number }
  const characters = limit === 1 ? 'character' : 'characters'
  const entries = limit === 1 ? 'entry' : 'entries'
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not known here'
    case 'anyOf':
    case 'oneOf':
    case 'const':
    case 'enum':
      return 'has a value that is not allowed'
    case 'pattern':
      return 'has characters that are not allowed, or not the expected form'
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${characters}`
    case 'maxLength':
      return `must have at most ${limit} ${characters}`
    case 'minItems':
      return `must have at least ${limit} ${entries}`
    case 'maxItems':
      return `must have at most ${limit} ${entries}`
    case 'uniqueItems':
      return 'must not have an entry twice'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    default:
      return message
  }
}
