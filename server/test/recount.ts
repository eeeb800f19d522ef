export { recount } from '../src/lib/counters.ts'

/** What `recount` answers then. */
export const everyCounterRight = { subordinates: [], tally: [], roots: [] }
