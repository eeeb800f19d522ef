import { messages } from '@tessera/contract/messages'
import { CallError } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'

/** The message for a failed sign-in request; when throttled, a second line says how long to wait. */
export function loginProblem(problem: unknown) {
  if (!(problem instanceof CallError) || problem.status !== 429) return messages.loginBroken
  const seconds = problem.retryAfter ?? 60
  const wait = seconds < 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')
  return `${messages.loginBroken}\nToo many attempts, try again in ${wait}.`
}
