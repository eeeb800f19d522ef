import type { Request } from '@tessera/contract/call'
import type { queryTickets } from '@tessera/contract/tickets'
import type { Names } from '../rules.ts'

export type Input = Request<typeof queryTickets>

export function isFiltered({ Id, Title, Types, Phases, States, Subordinates, Labels, Mine, Query }: Input) {
  return Boolean(
    Query?.trim() || Id || Title || Types?.length || Phases?.length || States?.length || Subordinates?.length || Labels?.length || Mine,
  )
}

export function templatesOf({ Types }: Input) {
  return Types?.length ? Types : undefined
}

/** The states that both filters allow; undefined without such a filter. */
export function statesOf({ States, Phases }: Input, names: Names) {
  if (!States?.length && !Phases?.length) return undefined
  return [...names.states]
    .filter(([id, { phase }]) => (!States?.length || States.includes(id)) && (!Phases?.length || Phases.includes(phase)))
    .map(([id]) => id)
}

/** Memoizes `make` by these keys. */
export function once<Keys extends (string | number | boolean)[], T>(make: (...keys: Keys) => T) {
  const made = new Map<string, T>()
  return (...keys: Keys): T => {
    const key = keys.join()
    const known = made.get(key) ?? make(...keys)
    made.set(key, known)
    return known
  }
}
