import { type Citus, findCitus } from '../../postgres/citus.ts'

/** A cluster for a long test, which is run only by `npm run torture:<name>`; undefined when it is not asked for or there is no cluster. */
export function citusIfAsked(name: string): Citus | undefined {
  if (process.env.TORTURE_ROUNDS === undefined) return undefined
  const found = findCitus()
  if (!('missing' in found)) return found
  console.log(`torture:${name} was left out: ${found.missing}.`)
  return undefined
}
