import { limits } from '@tessera/contract/limits'
import type { Config } from '../../config.ts'
import { Failure } from '../failure.ts'
import { commonPasswords, words } from './common-passwords.ts'

const lookalikes: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }

function isCommon(password: string) {
  const common = commonPasswords()
  const lower = password.toLowerCase()
  const tail = /[\d\W_]*$/.exec(lower)?.[0] ?? ''
  const head = lower.slice(0, lower.length - tail.length).replace(/[013457@$!]/g, character => lookalikes[character] ?? character)
  const candidates = [lower, head + tail, head.replaceAll('i', 'l') + tail, lower.replace(/\s+/g, '')]
  if (tail.length <= 4) candidates.push(head)
  return isRepetition(lower) || candidates.some(candidate => common.has(candidate) || isPair(candidate))
}

/** A character, or a piece of two to four, repeated: aaaaaaaa, abcabcabc. */
function isRepetition(text: string) {
  return /^(.{1,4}?)\1+.?$/u.test(text) || new Set(text).size <= 2
}

const wordSet = new Set(words)
function isPair(text: string) {
  for (let middle = 3; middle <= text.length - 3; middle++) {
    if (wordSet.has(text.slice(0, middle)) && wordSet.has(text.slice(middle))) return true
  }
  return false
}

/** Words an attacker would try: of the product, the organizations, the person. */
function contextWords(context: readonly string[]) {
  return ['tessera', ...context.flatMap(text => [text, ...text.split(/[^\p{L}\p{N}]+/u)])]
    .map(word => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    .filter(word => [...word].length >= 4)
}

/**
 * Throws 422 with a sentence unless the password may be used. `context` are names an attacker tries first: organization, login, mail, full name.
 * `field` is named in the error. No composition rules and no expiry (NIST SP 800-63B-4, ASVS 5.0 6.2).
 */
export function requireGoodPassword(
  config: Pick<Config, 'passwordMinLength'>,
  password: string,
  context: readonly string[],
  field = 'newpass',
) {
  const refuse = (sentence: string) => new Failure('rule', sentence, { fields: [{ path: field, message: sentence }] })
  const normal = password.normalize('NFKC')
  if ([...normal].length < config.passwordMinLength) throw refuse(`The password needs at least ${config.passwordMinLength} characters`)
  if (Buffer.byteLength(normal) > limits.password) throw refuse(`The password may have at most ${limits.password} bytes`)
  if (isCommon(normal)) throw refuse('This password is one of those that are tried first: choose another')
  const letters = normal.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const remainder = contextWords(context)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), letters)
  if (remainder !== letters && [...remainder.replace(/\d{1,4}$/, '')].length < 4)
    throw refuse('This password is made of your name, your organization or the product: choose another')
}
