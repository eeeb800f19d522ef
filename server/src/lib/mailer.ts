import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { addJob, type Job, type JobPayloads } from './jobs.ts'
import { composeMail, type Mail } from './mail.ts'
import type { System } from './system.ts'

export interface Mailer {
  /** Hands one mail over; throws when it was not accepted. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** SMTP where the settings name a server; otherwise each mail is a file in `{data}/mail`. */
export function createMailer(config: Config): Mailer {
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  const transport =
    config.smtpUrl === undefined
      ? createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      : createTransport({ url: config.smtpUrl, pool: true, maxConnections: 2, ...timeouts } as object)
  const host = new URL(config.publicUrl).hostname

  return {
    async send(mail) {
      const info = (await transport.sendMail({
        from: config.mailFrom,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.id}@${host}>`,
        headers: { 'auto-submitted': 'auto-generated', ...mail.headers },
        disableFileAccess: true,
        disableUrlAccess: true,
      })) as { message?: Buffer; rejected?: unknown[] }
      if (config.smtpUrl === undefined) await writeMail(path.join(config.data, 'mail'), mail.id, info.message ?? Buffer.alloc(0))
    },
    close: () => transport.close(),
  }
}

async function writeMail(directory: string, id: string, message: Buffer) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${id}`
  const unfinished = path.join(directory, `${name}.tmp`)
  await writeFile(unfinished, message, { mode: 0o600 })
  await rename(unfinished, path.join(directory, `${name}.eml`))
}

/** Queues a mail in the caller's transaction; it leaves after the commit. Without a usable address nothing is queued. */
export async function queueMail(db: Db, mail: Omit<Mail, 'id'> & { key?: string }) {
  const composed = composeMail(mail)
  if (composed) await addJob(db, 'send-mail', { mail: composed, attempt: 1 }, { key: `mail:${composed.id}` })
}

const firstRetries = [1, 5, 15, 60]
/** 1, 5, 15, 60 minutes, then every 4 hours until 48 hours have passed. */
const retryMinutes = [...firstRetries, ...Array.from({ length: 11 }, () => 240)]

/** Minutes until the next attempt; undefined when the mail is given up. */
export function minutesUntilRetry(attempt: number) {
  return retryMinutes[attempt - 1]
}

/** The server knows that nobody there has this address. */
function isUnknownRecipient(error: unknown) {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return code === 'EENVELOPE' && responseCode >= 550 && responseCode < 560
}

type MailJob = 'send-mail' | 'send-notification'

/** Sends the mail of a job; when that fails, puts the job back for later. */
export async function sendOrRetry<Name extends MailJob>({ db, mailer }: System, name: Name, payload: JobPayloads[Name]) {
  const { mail, attempt } = payload
  try {
    await mailer.send(mail)
  } catch (error) {
    const minutes = minutesUntilRetry(attempt)
    if (minutes === undefined) throw error
    const isLast = isUnknownRecipient(error) || minutesUntilRetry(attempt + 1) === undefined
    // Replaces the job that is running: it will not run again, this one will.
    await addJob(
      db,
      name,
      { ...payload, attempt: isLast ? retryMinutes.length + 1 : attempt + 1 },
      { key: `mail:${mail.id}`, delaySeconds: minutes * 60, ...(isLast ? { attempts: 1 } : {}) },
    )
  }
}

export const sendMail: Job<'send-mail'> = (system, payload) => sendOrRetry(system, 'send-mail', payload)
