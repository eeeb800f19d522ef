import { parse } from '@tessera/contract/query-language/parse'
import { QueryError } from '@tessera/contract/query-language/tree'
import type { CallError } from '../../../lib/calls/api.ts'

/** Why a query cannot be read, and where. */
export interface QueryProblem {
  message: string
  position: number
  length: number
  nearest: readonly string[]
}

/** What is wrong with a text, as far as it can be known without the server. */
export function problemOfText(text: string): QueryProblem | undefined {
  try {
    parse(text)
    return undefined
  } catch (error) {
    if (error instanceof QueryError) return { message: error.message, ...error.span, nearest: error.nearest }
    throw error
  }
}

/** What the server said about a query; undefined for any other error. */
export function problemOfAnswer(error: CallError | null | undefined): QueryProblem | undefined {
  if (error?.code !== 'query') return undefined
  const { Position = 0, Length = 0, Nearest = [] } = error.body as { Position?: number; Length?: number; Nearest?: string[] }
  return { message: error.message, position: Position, length: Length, nearest: Nearest }
}
