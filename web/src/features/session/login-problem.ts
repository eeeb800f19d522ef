import { messages } from '@tessera/contract/messages'
import { CallError } from '../../lib/api.ts'

/** What to say when a sign-in got no answer; a throttled one also says, in a second line, how long to wait. */
export function loginProblem(problem: unknown) {
  if (!(problem instanceof CallError) || problem.status !== 429) return messages.loginBroken
  const seconds = problem.retryAfter ?? 60
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return `${messages.loginBroken}\nToo many attempts, try again in ${wait}.`
}
