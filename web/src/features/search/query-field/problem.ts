import { parse } from '@tessera/contract/query-language/parse'
import { QueryError } from '@tessera/contract/query-language/tree'
import type { CallError } from '../../../lib/calls/api.ts'

/** Why a query is invalid, and where. */
export interface QueryProblem {
  message: string
  position: number
  length: number
  nearest: readonly string[]
}

/** What is wrong with a text, as far as the browser can tell. */
export function problemOfText(text: string): QueryProblem | undefined {
  try {
    parse(text)
    return undefined
  } catch (error) {
    if (error instanceof QueryError) return { message: error.message, ...error.span, nearest: error.nearest }
    throw error
  }
}

/** The server's error about a query; undefined for other errors. */
export function problemOfAnswer(error: CallError | null | undefined): QueryProblem | undefined {
  if (error?.code !== 'query') return undefined
  const { Position = 0, Length = 0, Nearest = [] } = error.body as { Position?: number; Length?: number; Nearest?: string[] }
  return { message: error.message, position: Position, length: Length, nearest: Nearest }
}
