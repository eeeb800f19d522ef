import { hash, randomUUID } from 'node:crypto'
import { emailPattern } from '@tessera/contract/limits'
import { beginning, excerpt } from '../lib/excerpt.ts'

export interface Mail {
  /** Stays the same when a mail is retried, so that the receiver can detect a duplicate. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

const address = new RegExp(emailPattern)
/** Characters that could inject a header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const control = /[\u0000-\u001f\u007f\u2028\u2029]+/g

/** A mail with a safe address and safe headers; undefined for an invalid address. The same `key` and recipient give the same Message-ID. */
export function composeMail(mail: Omit<Mail, 'id'> & { key?: string }): Mail | undefined {
  const { key = randomUUID(), to, subject, ...rest } = mail
  if (!address.test(to) || to.length > 254) return undefined
  return { ...rest, id: mailId(key, to), to, subject: beginning(subject.replaceAll(control, ' ').trim(), 200) }
}

/** Identifies a mail: the same for the same `key` and recipient. */
export function mailId(key: string, to: string) {
  return `${key}.${hash('sha256', to.toLowerCase()).slice(0, 16)}`
}

/** A row of a mail: what was changed, before and after. */
export interface ChangeRow {
  label: string
  before: string | null
  after: string | null
  /** Renders a text as HTML; where it returns undefined, the text is shown as it is. */
  html?: (text: string) => string | undefined
}

interface Body {
  paragraphs: string[]
  changes?: ChangeRow[]
  more?: string
  link?: { label: string; url: string }
  foot?: string
  /** Ends the footer. */
  footLink?: { label: string; url: string }
}
/** A value longer than this is cut in a mail. */
export const shownLength = 2000

/** Sets no color: the mail program has its own, and its ground may be dark. A rendered text begins beside its label and is as wide as the window. */
const head = [
  '<meta charset="utf-8"><meta name="color-scheme" content="light dark">',
  '<style>td>:first-child{margin-top:0}td>:last-child{margin-bottom:0}td+td{overflow-wrap:anywhere}pre{white-space:pre-wrap}</style>',
].join('')

const bodyStyle = 'font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;overflow-wrap:break-word'

/** The plain-text and the HTML body of a mail: paragraphs, changes, at most one link, a footer. */
export function mailBodies({ footLink, ...common }: Body) {
  return commonBodies(common)(footLink)
}

/** The same for mails that differ in the link of the footer only. */
export function commonBodies({ paragraphs, changes = [], more, link, foot = '' }: Omit<Body, 'footLink'>) {
  const rows = changes.map(({ before, after, ...row }) => ({ ...row, before: cut(before), after: cut(after) }))
  const after = more === undefined ? [] : [more]
  const text = [
    ...paragraphs,
    ...rows.map(row => `${row.label}: ${changeInWords(row)}`),
    ...after,
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...(foot ? [`-- \n${foot}`] : []),
  ].join('\n\n')
  const cell = (value: string) => `<td style="padding:4px 12px 4px 0;vertical-align:top">${value}</td>`
  const anchor = ({ label, url }: { label: string; url: string }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`
  const lines = (value: string) => escapeHtml(value).replaceAll('\n', '<br>')
  const shownChange = ({ html: render, ...row }: (typeof rows)[number]) => {
    if (!render) return lines(changeInWords(row))
    const shown = (text: string) => render(text) ?? lines(text)
    if (row.before === null) return shown(row.after ?? '')
    return row.after === null ? `${shown(row.before)} (removed)` : `${shown(row.before)}<p>→</p>${shown(row.after)}`
  }
  const html = [
    `<!doctype html><html lang="en"><head>${head}</head><body style="${bodyStyle}">`,
    ...paragraphs.map(paragraph => `<p>${lines(paragraph)}</p>`),
    ...(rows.length > 0
      ? ['<table>', ...rows.map(row => `<tr>${cell(`<b>${escapeHtml(row.label)}</b>`)}${cell(shownChange(row))}</tr>`), '</table>']
      : []),
    ...after.map(paragraph => `<p>${lines(paragraph)}</p>`),
    ...(link ? [`<p>${anchor(link)}</p>`] : []),
    ...(foot ? [`<p style="font-size:13px">${lines(foot)}`] : []),
  ].join('\n')
  return (footLink?: Body['footLink']) => ({
    text: `${text}${footLink ? ` ${footLink.label}: ${footLink.url}` : ''}\n`,
    html: `${html}${footLink ? ` ${anchor(footLink)}` : ''}${foot ? '</p>' : ''}\n</body></html>`,
  })
}

function cut(text: string | null) {
  return text === null ? null : excerpt(text, shownLength)
}
function changeInWords({ before, after }: Pick<ChangeRow, 'before' | 'after'>) {
  if (before === null) return after ?? ''
  return after === null ? `${before} (removed)` : arrow(before, after)
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
/** From the one to the other. Two texts in Hebrew would be one line from right to left, with the second before the first: each is isolated. */
export function arrow(before: string, after: string) {
  const [one, other] = [before, after].map(text => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text))
  return `${one} → ${other}`
}

export function escapeHtml(text: string) {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
