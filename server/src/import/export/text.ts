import { limits } from '@tessera/contract/limits'
import { beginning } from '../../lib/excerpt.ts'

/** Removes characters that PostgreSQL cannot store; normalizes line ends as a browser does. */
export function clean(text: string) {
  return text.replaceAll('\u0000', '').replaceAll(/\r\n?/g, '\n').toWellFormed()
}

/** On one line, without control characters, trimmed. */
export function oneLine(text: string) {
  return clean(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}

const mark = '…'

export function shorten(text: string, length: number) {
  return text.length <= length ? text : beginning(text, length - 1) + mark
}

export function shortenBytes(text: string, bytes: number) {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, bytes - 3)).replace(/\ufffd+$/, '')}${mark}`
}

/** The name of a state, template or field. */
export function nameOf(text: string, fallback: string) {
  return text === '' ? fallback : beginning(text, limits.name).trim()
}

/**
 * A database key from a column's name that is not among `taken` (in lower case): `Fix Version/s` → `Fix_Version_s`.
 * Names without Latin letters or digits become `field`, `field_2`, …
 */
export function keyOf(column: string, taken: ReadonlySet<string>) {
  const plain = column
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const base = plain === '' || ['constructor', 'prototype'].includes(plain) ? 'field' : plain
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `_${number}`
    const key = base.slice(0, limits.databaseKey - suffix.length) + suffix
    if (!taken.has(key.toLowerCase())) return key
  }
}

/** A login from a person's name in the export: no blanks, no control or invisible characters, at most 100 characters. */
export function loginOf(name: string) {
  return beginning(name.normalize('NFC').replaceAll(/[\s\p{Cc}\p{Cf}\p{Co}]+/gu, '_'), limits.login)
}
