export { recount } from '../../src/features/tickets/counters.ts'

/** The result of `recount` when all counters are correct. */
export const everyCounterRight = { subordinates: [], tally: [], roots: [] }
