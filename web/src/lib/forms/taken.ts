import type { CallError } from '../calls/api.ts'

/** The words of a refusal because the name is taken: they belong to the field of the name. */
export function takenMessage(problem: CallError | null) {
  return problem?.code === 'duplicate' ? problem.message : undefined
}
/** The words of any other refusal, which is about the whole form. */
export function formMessage(problem: CallError | null) {
  return problem?.code === 'duplicate' ? undefined : problem?.message
}
