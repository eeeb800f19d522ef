export { recount } from '../src/features/tickets/counters.ts'

/** What `recount` answers then. */
export const everyCounterRight = { subordinates: [], tally: [], roots: [] }
