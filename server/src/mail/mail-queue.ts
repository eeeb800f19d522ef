import type { Db } from '../db/db.ts'
import { addJob, type Job, type JobPayloads } from '../lib/background/job-queue.ts'
import type { System } from '../process/system.ts'
import { composeMail, type Mail } from './mail.ts'

/** Queues a mail in the caller's transaction; it is sent after the commit. Without a usable address nothing is queued. */
export async function queueMail(db: Db, mail: Omit<Mail, 'id'>) {
  const composed = composeMail(mail)
  if (composed) await addJob(db, 'send-mail', { mail: composed, attempt: 1 }, { key: `mail:${composed.id}` })
}

const firstRetries = [1, 5, 15, 60]
/** 1, 5, 15, 60 minutes, then every 4 hours until 48 hours have passed. */
const retryMinutes = [...firstRetries, ...Array.from({ length: 11 }, () => 240)]

/** Minutes until the next attempt; undefined after the last one. */
export function minutesUntilRetry(attempt: number) {
  return retryMinutes[attempt - 1]
}

/** The mail server rejected the recipient as unknown. A sender that it rejects is a matter of settings. */
export function isUnknownRecipient(error: unknown) {
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number }
  return code === 'EENVELOPE' && command === 'RCPT TO' && responseCode >= 550 && responseCode < 560
}

type MailJob = 'send-mail' | 'send-notification' | 'send-set-notification'

/** Sends the mail of a job; on failure, reschedules the job. */
export async function sendOrRetry<Name extends MailJob>({ db, mailer }: System, name: Name, payload: JobPayloads[Name], mail: Mail) {
  const { attempt } = payload
  try {
    await mailer.send(mail)
  } catch (error) {
    const minutes = minutesUntilRetry(attempt)
    if (minutes === undefined) throw error
    const isLast = isUnknownRecipient(error) || minutesUntilRetry(attempt + 1) === undefined
    // Replaces the job that is running: it will not run again, this one will. After an outage, notifications that were not tried yet are first.
    await addJob(
      db,
      name,
      { ...payload, attempt: isLast ? retryMinutes.length + 1 : attempt + 1 },
      { key: `mail:${mail.id}`, delaySeconds: minutes * 60, isLater: name !== 'send-mail', ...(isLast ? { attempts: 1 } : {}) },
    )
  }
}

export const sendMail: Job<'send-mail'> = (system, payload) => sendOrRetry(system, 'send-mail', payload, payload.mail)
