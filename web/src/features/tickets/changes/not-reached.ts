import { formatNumber } from '../../../lib/display/format.ts'

/** `, 880 not reached`: what the words about a bulk change or a revert say after a stop; else nothing. */
export function notReached(stopped = 0) {
  return stopped === 0 ? '' : `, ${formatNumber(stopped)} not reached`
}
