import { isSame } from './drafts/use-draft.ts'

/**
 * What a save sends: the members that differ from what the form was opened with, or all of them for something new. What others saved since
 * the opening stays, as it is not sent.
 */
export function changedFrom<T extends object>(opened: NoInfer<Partial<T>> | undefined, now: T) {
  const entries = Object.entries(now).filter(([name, value]) => !opened || !isSame(value, (opened as Record<string, unknown>)[name]))
  return Object.fromEntries(entries) as Partial<T>
}
