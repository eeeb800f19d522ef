import type { FastifyError } from 'fastify'

type Problem = NonNullable<FastifyError['validation']>[number]

/** The path and message of each problem, without duplicates; for a union of constants one message that lists them. */
export function problemsOf(problems: readonly Problem[], whole: string): { path: string; message: string }[] {
  const choices = problems.filter(problem => choicesOf(problem))
  const isFolded = ({ schemaPath }: Problem) => choices.some(choice => schemaPath.startsWith(`${choice.schemaPath}/`))
  const fields = problems
    .filter(problem => !isFolded(problem))
    .map(problem => {
      const { additionalProperty, missingProperty } = problem.params as { additionalProperty?: string; missingProperty?: string }
      const parts = [problem.instancePath.slice(1).replaceAll('/', '.'), additionalProperty ?? missingProperty]
      return { path: parts.filter(part => part !== undefined && part !== '').join('.') || whole, message: wordsOf(problem) }
    })
  return [...new Map(fields.map(field => [JSON.stringify(field), field])).values()]
}

/** The values that a constant or a union of constants allows; undefined for other problems. */
function choicesOf(problem: Problem) {
  const { anyOf, const: only } = (problem as { parentSchema?: { anyOf?: { const?: unknown }[]; const?: unknown } }).parentSchema ?? {}
  if (only !== undefined) return [JSON.stringify(only)]
  if (problem.keyword !== 'anyOf' || !anyOf?.every(one => one.const !== undefined)) return undefined
  return anyOf.map(one => JSON.stringify(one.const))
}
const either = new Intl.ListFormat('en', { type: 'disjunction' })

/** What is wrong with a value, to be read after its name: `Zone is missing`. The validator's own messages are for programmers. */
function wordsOf(problem: Problem): string {
  const { keyword, params, message = 'is not valid' } = problem
  const choices = choicesOf(problem)
  if (choices) return `must be ${either.format(choices)}`
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
      // A text whose bytes are limited has at most that many characters, too; the limit is the one in bytes.
      if ((problem as { parentSchema?: { maxBytes?: number } }).parentSchema?.maxBytes) return `must not have more than ${limit} bytes`
      return `must have at most ${limit} ${characters}`
    case 'minItems':
      return `must have at least ${limit} ${entries}`
    case 'maxItems':
      return `must have at most ${limit} ${entries}`
    case 'uniqueItems':
      return 'must not have duplicate entries'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    default:
      return message
  }
}
