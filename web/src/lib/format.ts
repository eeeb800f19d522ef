import { attachmentNameShown } from '@tessera/contract/limits'

// A browser takes 40 ms or more for the first Intl formatter, so they are created on first use.
const once = <Made>(make: () => Made) => {
  let made: Made | undefined
  return () => (made ??= make())
}
const dateTime = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }))
const dateOnly = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }))
const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }))

/** Creates the date formatters ahead of time, for code that will soon show dates. */
export function prepareDates() {
  dateTime()
  dateOnly()
  relative()
}

/** `Nov 3, 2026, 9:41 AM`, of seconds since 1970. */
export function formatDateTime(epochSeconds: number) {
  // ICU puts a narrow no-break space before AM and PM, which people do not type when they search.
  return dateTime()
    .format(epochSeconds * 1000)
    .replaceAll('\u202f', ' ')
}
export function formatDate(epochSeconds: number) {
  return dateOnly().format(epochSeconds * 1000)
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

/** `3 hours ago`; `now` in milliseconds. */
export function formatRelative(epochSeconds: number, now = Date.now()) {
  const seconds = Math.round(epochSeconds - now / 1000)
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  return unit === 'second' ? 'just now' : relative().format(Math.trunc(seconds / size), unit)
}

/** `holiday-20….jpg`: a name under 15 characters whole, else its first 10, an ellipsis and its last 4. */
export function shortenAttachmentName(name: string) {
  const characters = Array.from(name)
  const { whole, head, tail } = attachmentNameShown
  if (characters.length < whole) return name
  return `${characters.slice(0, head).join('')}…${characters.slice(-tail).join('')}`
}

export function formatBytes(bytes: number) {
  if (bytes < 1024) return `${bytes} B`
  const power = bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3
  return `${(bytes / 1024 ** power).toFixed(1)} ${['kB', 'MB', 'GB'][power - 1]}`
}

/** The letters of an avatar: of the first and the last word. */
export function initials(name: string) {
  const words = name.trim().split(/\s+/)
  const letters =
    words.length > 1 ? [words[0], words.at(-1)].map(word => Array.from(word ?? '')[0] ?? '').join('') : name.trim().slice(0, 2)
  return letters.toUpperCase()
}

/** A name's own colour, the same on every page: one of twelve hues, in degrees. */
export function hueOf(name: string) {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return (hash % 12) * 30
}
