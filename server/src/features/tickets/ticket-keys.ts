/**
 * Which ids match when `needle` is looked for in `{shortCode}-{id}`, ignoring case: every one, none, or those whose digits are LIKE the pattern.
 */
export function idPattern(shortCode: string, needle: string): 'every' | 'none' | { like: string } {
  const code = shortCode.toLowerCase()
  const text = needle.toLowerCase()
  const dash = text.indexOf('-')
  if (dash === -1) {
    if (code.includes(text)) return 'every'
    return /^\d+$/.test(text) ? { like: `%${text}%` } : 'none'
  }
  const digits = text.slice(dash + 1)
  if (!code.endsWith(text.slice(0, dash))) return 'none'
  if (digits === '') return 'every'
  return /^\d+$/.test(digits) ? { like: `${digits}%` } : 'none'
}

/** Whether the text may be a ticket's key in this or another tracker: `OPS-42`. */
export function isKey(text: string) {
  return /^\s*\w{1,200}-\d{1,15}\s*$/.test(text)
}

/** `%`, `_` and `\` stand for themselves in a LIKE pattern. */
function likeText(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}
export function likeContaining(text: string) {
  return `%${likeText(text)}%`
}
