import { sql } from 'kysely'
import { run } from '../../../db/db.ts'
import { type Job, manyMailsAreDue } from '../../../lib/background/job-queue.ts'
import { type Poller, startPolling } from '../../../lib/background/polling.ts'
import { sendOrRetry } from '../../../mail/mail-queue.ts'
import type { System } from '../../../process/system.ts'
import { deliverNext, firstTurn } from './notices/deliver-next.ts'
import { noticeShape, queueTicketMails, withoutDeleted } from './notices/ticket-mails.ts'
import { deliverNextSet } from './sets/jobs.ts'
import { stillTold } from './watchers.ts'

/** Milliseconds between two looks for finished bursts. */
const usualPause = 3000
/** Milliseconds in which a part of the due mails leaves. */
const shortPause = 200

/** Turns the next finished bursts into mails; false when there are none. */
export function deliverNextNotice(system: System, turn = firstTurn()): Promise<boolean> {
  const due = sql`first_change_at <= now() - make_interval(secs => ${system.config.notificationSeconds})`
  const notices = { table: 'ticket_notice', key: 'ticket_id', at: 'first_change_at', due, row: noticeShape, about: 'ticket' }
  return deliverNext(system.db, notices, turn, (db, notice) => queueTicketMails(db, system, notice))
}

/** Sends one notification, to the present address, if the person may still see the ticket and still wants notifications. */
export const sendNotification: Job<'send-notification'> = async (system, payload) => {
  const { organizationId, projectId, ticketId, userId, mentioned, comments } = payload.about
  const of = [ticketId]
  const [person] = await run(system.db, stillTold, [organizationId, projectId, userId, of, mentioned ? of : [], comments?.ids ?? []])
  if (!person) return
  const mail = person.gone ? await withoutDeleted(system, payload.about, person.email) : payload.mail
  if (mail) await sendOrRetry(system, 'send-notification', payload, { ...mail, id: payload.mail.id, to: person.email })
}

/** Turns some notices into mails at each call, and returns the milliseconds until the next one. While nobody uses the server, there is no rest. */
export function deliveries(system: System, report: (error: unknown) => void) {
  const pause = Math.min(usualPause, Math.max(200, system.config.notificationSeconds * 100))
  const [ofTickets, ofSets] = [firstTurn(), firstTurn()]
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
