import { parse } from '@tessera/contract/query-language/parse'
import { print } from '@tessera/contract/query-language/print'
import { addDays } from '../../lib/display/days.ts'
import type { Range } from './range.ts'

/** The address of the list of tickets behind a number: those that match the charts' query and the condition. */
export function listPath(idProject: number, query: string, condition: string) {
  const [asked, behind] = [parse(query).where, parse(condition).where]
  const both = [asked, behind].filter(where => where !== null)
  const q = both.length === 2 ? print({ where: { kind: 'and', of: both }, sort: [] }) : condition
  return `/view-project/${idProject}?${new URLSearchParams({ q, layout: 'list' })}`
}

export const createdIn = ({ from, to }: Range) => `created:${from}..${to}`
/** Inactive at the end, and not before. */
export const closedIn = ({ from, to }: Range) => `phase:inactive@${to} -phase:inactive@${addDays(from, -1)}`
export const inPhase = (phase: 'proposed' | 'active' | 'inactive', day: string) => `phase:${phase}@${day}`
/** `after` and `upTo` in days, as the statistics group the ages. */
export function openOfAge(after: number | undefined, upTo: number | null) {
  if (upTo === null) return `is:open created:>${after ?? 0}d`
  return after === undefined ? `is:open created:<${upTo}d` : `is:open created:${after}d..${upTo}d`
}
