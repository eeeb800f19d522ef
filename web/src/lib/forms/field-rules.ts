import { emailPattern, limits } from '@tessera/contract/limits'
import { isOneLine, isSeen, problemOfLogin } from '@tessera/contract/names'

// Each rule answers with what is wrong with a value, or undefined.

const email = new RegExp(emailPattern)

/** As the server counts: an emoji is one character. */
function charactersOf(text: string) {
  return [...text].length
}

/** Text that must not be blank; `what` completes "Enter …". */
export function nameRule(what: string, maxLength: number = limits.name) {
  return (value: string) => (isSeen(value) ? lengthRule(maxLength)(value) : `Enter ${what}`)
}
/** Text of one line, which may be blank. */
export function lengthRule(maxLength: number) {
  return (value: string) => {
    // Cells of a spreadsheet are pasted with tabs between them.
    if (!isOneLine(value.trim())) return 'Remove the tab or other control character'
    const length = charactersOf(value.trim())
    return length > maxLength ? `At most ${maxLength} characters, ${length} now` : undefined
  }
}
/** Long text, which the server counts in bytes of UTF-8: two for a letter of Cyrillic, three for a sign of Han, four for an emoji. */
export function bytesProblem(value: string, maxBytes: number) {
  const bytes = new TextEncoder().encode(value).length
  if (bytes <= maxBytes) return undefined
  return `This text is too long: at most ${maxBytes / 1024} KiB, ${Math.ceil(bytes / 102.4) / 10} KiB now`
}
/** A ticket's title, which the screen calls its description. */
export const titleRule = nameRule('a description', limits.ticketTitle)
export function emailRule(value: string) {
  const address = value.trim()
  const isValid = address === '' || (address.length <= limits.email && email.test(address))
  return isValid ? undefined : 'Enter a valid email address'
}
/** The rule for an existing login. */
export function loginRule(value: string) {
  const login = value.trim()
  if (login === '') return 'Enter a login name'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\s\u0000-\u001f\u007f-\u009f]/.test(login)) return 'A login name has no blanks'
  return lengthRule(limits.login)(login)
}
/** A new password, in the form in which the server counts its characters. */
export function passwordRule(minLength: number) {
  return (value: string) => (charactersOf(value.normalize('NFKC')) < minLength ? `Use at least ${minLength} characters` : undefined)
}
/** The stricter rule for a new login. */
export function newLoginRule(value: string) {
  const problem = problemOfLogin(value.trim())
  return loginRule(value) ?? (problem && `A login name ${problem}`)
}
export function shortCodeRule(value: string) {
  const code = value.trim()
  if (code === '') return 'Enter a short code'
  return /^\w{1,16}$/.test(code) ? undefined : `At most ${limits.shortCode} letters, digits or _`
}
export function databaseKeyRule(value: string) {
  const key = value.trim()
  if (key === '') return 'Enter a database key'
  if (!/^\w+$/.test(key)) return 'Only letters from A to Z, digits and _'
  if (key.length > limits.databaseKey) return `At most ${limits.databaseKey} characters, ${key.length} now`
  return ['__proto__', 'constructor', 'prototype'].includes(key) ? 'This key is reserved, choose another one' : undefined
}
