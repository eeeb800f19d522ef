import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Mail } from './mail.ts'

export interface Mailer {
  /** Delivers one mail to the server; throws when it was not accepted. */
  send(mail: Mail): Promise<void>
  close(): void
  /** Closes connections that wait for the server too: what they are sending throws. */
  giveUp(): void
}

/** In milliseconds. A server may check a mail for a while before it accepts it, but a dead one is noticed. */
const timeouts = { connectionTimeout: 8000, greetingTimeout: 8000, socketTimeout: 30_000 }

/**
 * How long the sending of a mail may take as a whole, in milliseconds: a server that answers a little now and then is not silent. Less than the time
 * after which the queue takes a job for abandoned, because the mail would then be sent once more.
 */
const longestSending = 4 * 60_000

/** Connects and signs in, and sends nothing; throws when that fails. `wantsUser`: the server offers to sign in, and the settings name no user. */
export async function verifyMailServer({ smtpUrl: url }: Config) {
  try {
    await createTransport({ url, ...timeouts, forceAuth: true } as object).verify()
    return { wantsUser: false }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOAUTH') throw error
    return { wantsUser: true }
  }
}

/** SMTP where the settings name a server; otherwise each mail is a file in `{data}/mail`. */
export function createMailer(config: Config, limit = longestSending): Mailer {
  const transport =
    config.smtpUrl === undefined
      ? createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      : createTransport({ url: config.smtpUrl, pool: true, maxConnections: 2, ...timeouts } as object)
  const host = new URL(config.publicUrl).hostname

  return {
    async send(mail) {
      const sending = transport.sendMail({
        from: config.mailFrom,
        to: { name: '', address: mail.to },
        subject: headerText(mail.subject),
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.id}@${host}>`,
        headers: { 'auto-submitted': 'auto-generated', ...mail.headers },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(limit),
      })
      const info = (await sending.catch((error: Error) => {
        throw withoutAddresses(error)
      })) as { message?: Buffer }
      if (config.smtpUrl === undefined) await writeMail(path.join(config.data, 'mail'), mail.id, info.message ?? Buffer.alloc(0))
    },
    close: () => transport.close(),
    giveUp: () => transport.close({ force: true }),
  }
}

/** The library sends text that looks encoded as it is, so a mail program would decode a title into another one. */
function headerText(text: string) {
  if (!text.includes('=?')) return text
  // An encoded word has at most 75 characters.
  const words = text.match(/.{1,11}/gsu) ?? []
  return words.map(word => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

/** A mail server repeats addresses in its refusal. They are kept out of the log, and of the errors that are stored with jobs. */
function withoutAddresses(error: Error) {
  const hide = (text: string) => text.replace(/[^\s<>/]+@[^\s<>/:]+/g, '…')
  error.message = hide(error.message)
  error.stack = hide(error.stack ?? '')
  return error
}

async function writeMail(directory: string, id: string, message: Buffer) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${id}`
  const unfinished = path.join(directory, `${name}.tmp`)
  await writeFile(unfinished, message, { mode: 0o600 })
  await rename(unfinished, path.join(directory, `${name}.eml`))
}
