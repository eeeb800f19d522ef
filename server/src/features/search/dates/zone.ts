import { sqlState } from '../../../db/sql-state.ts'
import { invalid } from '../../../lib/failure.ts'
import { type Clock, clockIn } from './periods.ts'

export function clockOf(zone = 'UTC'): Clock {
  const clock = clockIn(zone)
  if (!clock) throw notZone()
  return clock
}
/** 400 for a zone that is none, where the answer does not depend on it. */
export function requireZone(zone: string | undefined) {
  if (zone !== undefined) clockOf(zone)
}
function notZone() {
  return invalid('Zone', 'is not a time zone, such as Europe/Berlin')
}

/** Runs a statement that uses the clock's time zone. The database's list of time zones may be older than ours. */
export async function inZone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw sqlState(error) === '22023' ? notZone() : error
  }
}
