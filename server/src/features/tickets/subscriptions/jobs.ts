import { sql } from 'kysely'
import { manyMailsAreDue } from '../../../lib/background/job-queue.ts'
import { type Poller, startPolling } from '../../../lib/background/polling.ts'
import type { System } from '../../../process/system.ts'
import { deliverNext, firstTurn, oneByOne } from './notices/deliver-next.ts'
import { endNext } from './notices/end-bursts.ts'
import { burstShape, queueTicketMails } from './notices/ticket-mails.ts'
import { deliverNextSet } from './sets/jobs.ts'

/** Milliseconds between two looks for finished bursts. */
const usualPause = 3000
/** Milliseconds in which a part of the due mails leaves. */
const shortPause = 200

/** Where an organization's turn has arrived, for each of the two steps. */
export const firstTurns = () => ({ ending: firstTurn(), telling: firstTurn() })

/** Ends the next bursts, and queues the mails about those that have ended; false when there are none. */
export async function deliverNextNotice({ db, config }: System, { ending, telling } = firstTurns()): Promise<boolean> {
  const bursts = { table: 'ticket_burst', key: 'first_change_id', at: 'ended_at', due: sql`ended_at <= now()` }
  const hasEnded = await endNext(db, config.notificationSeconds, ending)
  return (await deliverNext(db, bursts, telling, oneByOne(db, bursts, burstShape, queueTicketMails))) || hasEnded
}

/** Turns some notices into mails at each call, and returns the milliseconds until the next one. While nobody uses the server, there is no rest. */
export function deliveries(system: System, report: (error: unknown) => void) {
  const pause = Math.min(usualPause, Math.max(200, system.config.notificationSeconds * 100))
  const [ofTickets, ofSets] = [firstTurns(), firstTurn()]
  // A failure of one kind must not hold up the other.
  const failed = (error: unknown) => {
    report(error)
    return false
  }
  let answered = 0
  return async () => {
    // Workers answer the requests, where there are any.
    const isUsed = system.config.workers > 1 || system.requests.answered > answered
    answered = system.requests.answered
    if (await manyMailsAreDue(system.db)) return isUsed ? pause : shortPause
    const started = performance.now()
    const ofTicket = await deliverNextNotice(system, ofTickets).catch(failed)
    const isMore = (await deliverNextSet(system, ofSets).catch(failed)) || ofTicket
    if (!isMore) return pause
    // As long a rest as the work took: what is due is no reason to keep requests waiting.
    return isUsed ? Math.min(1000, performance.now() - started) : 0
  }
}

/** Polls for finished bursts, until stopped. */
export function deliverNotices(system: System, report: (error: unknown) => void): Poller {
  return startPolling(deliveries(system, report), usualPause, report)
}
