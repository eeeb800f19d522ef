import { type CallError, SessionTimedOut } from '../calls/api.ts'

/** The message of a refusal; none when the session ended, because the reconnect dialog says so. */
export function refusalMessage(problem: CallError | null) {
  return problem instanceof SessionTimedOut ? undefined : problem?.message
}

/** The message if the name is taken: it belongs to the name's field. */
export function takenMessage(problem: CallError | null) {
  return problem?.code === 'duplicate' ? problem.message : undefined
}
/**
 * The message of any other refusal, which is about the whole form. `noun` is what the form changes, or the project in which it creates something:
 * since the form was opened, somebody may have deleted it, or taken the person's access.
 */
export function formMessage(problem: CallError | null, noun?: string) {
  if (problem?.code === 'duplicate') return undefined
  if (noun && problem?.code === 'not_found')
    return problem.fields.length > 0
      ? 'Something that is chosen here was deleted meanwhile. Choose again.'
      : `This ${noun} was deleted meanwhile, or you no longer have access. What you typed stays here until you close the dialog.`
  if (noun && problem?.code === 'conflict')
    return `${problem.message}. Their changes are here now, with yours: check them, then save again.`
  return problem?.message
}
