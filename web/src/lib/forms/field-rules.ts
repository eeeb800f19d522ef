import { emailPattern, limits } from '@tessera/contract/limits'
import { isSeen, problemOfLogin } from '@tessera/contract/names'

type Verdict = true | string

const email = new RegExp(emailPattern)

/** Text that must not be blank; `what` completes "Enter …". */
export function nameRule(what: string, maxLength: number = limits.name) {
  return (value: string): Verdict => (isSeen(value) ? lengthRule(maxLength)(value) : `Enter ${what}`)
}
export function lengthRule(maxLength: number) {
  return (value: string): Verdict => {
    const { length } = value.trim()
    return length <= maxLength || `At most ${maxLength} characters, ${length} now`
  }
}
/** A ticket's title, which the screen calls its description. */
export const titleRule = nameRule('a description', limits.ticketTitle)
export function emailRule(value: string): Verdict {
  const address = value.trim()
  return address === '' || (address.length <= limits.email && email.test(address)) || 'Enter a valid email address'
}
/** The rule for an existing login. */
export function loginRule(value: string): Verdict {
  const login = value.trim()
  if (login === '') return 'Enter a login name'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\s\u0000-\u001f\u007f-\u009f]/.test(login)) return 'A login name has no blanks'
  return lengthRule(limits.login)(login)
}
/** The stricter rule for a new login. */
export function newLoginRule(value: string): Verdict {
  const verdict = loginRule(value)
  const problem = problemOfLogin(value.trim())
  return verdict !== true || problem === undefined ? verdict : `A login name ${problem}`
}
export function shortCodeRule(value: string): Verdict {
  const code = value.trim()
  if (code === '') return 'Enter a short code'
  return /^\w{1,16}$/.test(code) || `At most ${limits.shortCode} letters, digits or _`
}
export function databaseKeyRule(value: string): Verdict {
  const key = value.trim()
  if (key === '') return 'Enter a database key'
  if (!/^\w+$/.test(key)) return 'Only letters from A to Z, digits and _'
  if (key.length > limits.databaseKey) return `At most ${limits.databaseKey} characters, ${key.length} now`
  return !['__proto__', 'constructor', 'prototype'].includes(key) || 'This key is reserved, choose another one'
}
