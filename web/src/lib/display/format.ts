import { attachmentNameShown } from '@tessera/contract/limits'

// Without Intl: creating its first formatter takes 20 to 60 ms, a twentieth or more of the time until a ticket's page is shown.
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Nov 3, 2026`, of seconds since 1970, in the browser's time zone. */
export function formatDate(epochSeconds: number) {
  const date = new Date(epochSeconds * 1000)
  return `${months[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`
}

/** `Nov 3, 2026`, of `2026-11-03`; any other text as it is. */
export function formatDay(text: string) {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  return year === undefined ? text : `${months[Number(month) - 1]} ${Number(day)}, ${Number(year)}`
}

/** `Nov 3, 2026, 9:41 AM`. */
export function formatDateTime(epochSeconds: number) {
  const date = new Date(epochSeconds * 1000)
  const hours = date.getHours()
  return `${formatDate(epochSeconds)}, ${hours % 12 || 12}:${String(date.getMinutes()).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`
}

/** `12,000`, of an integer. */
export function formatNumber(value: number) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 ticket`, `12,000 tickets`. */
export function counted(count: number, noun: string) {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago something happened: `3 hours ago`, `yesterday`; `now` in milliseconds. A time in the future, from a clock that differs, is `just now`. */
export function formatRelative(epochSeconds: number, now = Date.now()) {
  const seconds = Math.round(now / 1000 - epochSeconds)
  const found = units.find(([, length]) => seconds >= length)
  if (!found) return 'just now'
  const [unit, length] = found
  const count = Math.trunc(seconds / length)
  if (count === 1 && unit === 'day') return 'yesterday'
  if (count === 1 && length > 86_400) return `last ${unit}`
  return `${counted(count, unit)} ago`
}

/** `holiday-20….jpg`: a name under 15 characters whole, else its first 10, an ellipsis and its last 4. */
export function shortenAttachmentName(name: string) {
  const characters = Array.from(name)
  const { whole, head, tail } = attachmentNameShown
  if (characters.length < whole) return name
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`
}

/** `25 MB`, `1.5 kB`. */
export function formatBytes(bytes: number) {
  if (bytes < 1024) return `${bytes} B`
  const inUnit = (power: number) => Math.round((10 * bytes) / 1024 ** power) / 10
  // 1024 kB are 1 MB.
  const power = [1, 2].find(each => inUnit(each) < 1024) ?? 3
  return `${inUnit(power)} ${['kB', 'MB', 'GB'][power - 1]}`
}

/** The letters of an avatar: of the first and the last word. */
export function initials(name: string) {
  const words = name.trim().split(/\s+/)
  const letters =
    words.length > 1
      ? [words[0], words.at(-1)].map(word => Array.from(word ?? '')[0] ?? '').join('')
      : Array.from(name.trim()).slice(0, 2).join('')
  return letters.toUpperCase()
}

/** A name's own color, the same on every page: one of twelve hues, in degrees. */
export function hueOf(name: string) {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return (hash % 12) * 30
}
