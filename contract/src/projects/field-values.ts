// Which values fields accept. The server decides; the pages check the same before they send.

/** Of Node.js and of browsers: the contract is compiled for neither. */
declare const URL: { canParse(text: string): boolean }

/** `12.5`, `-1e3`. Refuses a number that JavaScript reads as infinite. */
export function isNumber(text: string) {
  return /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}

/** A day that exists, as `2026-02-28`. */
export function isDay(text: string) {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The address of a page or a mail: nothing that a click would run. */
export function isAddress(text: string) {
  return /^(https?:\/\/|mailto:)\S+$/i.test(text) && URL.canParse(text)
}
