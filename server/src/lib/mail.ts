import { createHash, randomUUID } from 'node:crypto'
import { emailPattern } from '@tessera/contract/scalars'

export interface Mail {
  /** Stays the same when a mail is tried again, so that a receiver can tell a repetition. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

const address = new RegExp(emailPattern)
/** What can break a header apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const control = /[\u0000-\u001f\u007f\u2028\u2029]+/g

/** A mail whose address and headers are safe; undefined for an address that cannot be one. The same `key` and recipient give the same Message-ID. */
export function composeMail(mail: Omit<Mail, 'id'> & { key?: string }): Mail | undefined {
  const { key = randomUUID(), to, subject, ...rest } = mail
  if (!address.test(to) || to.length > 254) return undefined
  const recipient = createHash('sha256').update(to.toLowerCase()).digest('hex').slice(0, 16)
  return { ...rest, id: `${key}.${recipient}`, to, subject: subject.replaceAll(control, ' ').trim().slice(0, 200) }
}

/** The two bodies of a plain mail: paragraphs, at most one link, a foot line. */
export function mailBodies({ paragraphs, link, foot }: { paragraphs: string[]; link?: { label: string; url: string }; foot?: string }) {
  const text = [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...(foot ? [`-- \n${foot}`] : [])].join('\n\n')
  const html = [
    '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#1c1f24">',
    ...paragraphs.map(paragraph => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
    ...(foot ? [`<p style="color:#5c6370;font-size:13px">${escapeHtml(foot).replaceAll('\n', '<br>')}</p>`] : []),
    '</body></html>',
  ].join('\n')
  return { text: `${text}\n`, html }
}

export function escapeHtml(text: string) {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
