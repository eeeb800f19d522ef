import { expect, test } from 'vitest'
import {
  bytesProblem,
  databaseKeyRule,
  emailRule,
  lengthRule,
  loginRule,
  nameRule,
  newLoginRule,
  passwordRule,
  shortCodeRule,
} from './field-rules.ts'

test('a name is not blank, of one line and, trimmed, no longer than the server accepts', () => {
  const rule = nameRule('a title', 5)
  expect(rule(' \t')).toBe('Enter a title')
  expect(rule(' 12345 ')).toBeUndefined()
  expect(rule('123456')).toBe('At most 5 characters, 6 now')
  expect(lengthRule(3)('')).toBeUndefined()
  expect(rule('a\tb')).toBe('Remove the tab or other control character')
  expect(lengthRule(3)('a\tb')).toBe('Remove the tab or other control character')
  expect(rule('👍👍👍👍👍')).toBeUndefined()
  expect(rule('👍👍👍👍👍👍')).toBe('At most 5 characters, 6 now')
})

test('a long text is as long as the server counts it, in every script', () => {
  for (const [letter, bytes] of [
    ['a', 1],
    ['ж', 2],
    ['漢', 3],
    ['😀', 4],
  ] as const) {
    const most = letter.repeat(Math.floor(1024 / bytes))
    expect(bytesProblem(most, 1024)).toBeUndefined()
    expect(bytesProblem(most + letter, 1024)).toBe('This text is too long: at most 1 KiB, 1.1 KiB now')
  }
})

test('a password has as many characters as the server counts', () => {
  expect(passwordRule(8)('👍👍👍👍👍👍👍')).toBe('Use at least 8 characters')
  expect(passwordRule(8)('👍👍👍👍👍👍👍👍')).toBeUndefined()
  // Composed before they are counted.
  expect(passwordRule(8)('a\u0308'.repeat(4))).toBe('Use at least 8 characters')
})

test('an e-mail may be left out, and is an address otherwise', () => {
  expect(emailRule('  ')).toBeUndefined()
  expect(emailRule(' dana@example ')).toBeUndefined()
  for (const wrong of ['dana', 'dana@', '@example', 'a b@example.com', `${'a'.repeat(250)}@b.co`])
    expect(emailRule(wrong)).toBe('Enter a valid email address')
})

test('a login has no blanks inside', () => {
  expect(loginRule(' dana ')).toBeUndefined()
  expect(loginRule('')).toBe('Enter a login name')
  expect(loginRule('da na')).toBe('A login name has no blanks')
  expect(loginRule('x'.repeat(101))).toBe('At most 100 characters, 101 now')
  expect(newLoginRule('da na')).toBe('A login name has no blanks')
  // Somebody may have it from before the rules for new ones.
  expect(loginRule('d\u0430na')).toBeUndefined()
  expect(newLoginRule('d\u0430na')).toContain('different scripts')
})

test('short codes and database keys are letters, digits and _', () => {
  expect(shortCodeRule(' TI_1 ')).toBeUndefined()
  for (const wrong of ['T-1', 'Ä', 'x'.repeat(17), 'a b']) expect(shortCodeRule(wrong)).toContain('At most 16')
  expect(databaseKeyRule(' sever_1 ')).toBeUndefined()
  expect(databaseKeyRule('a'.repeat(64))).toBeUndefined()
  expect(databaseKeyRule('a'.repeat(65))).toBe('At most 64 characters, 65 now')
  expect(databaseKeyRule('größe')).toContain('Only letters')
  expect(databaseKeyRule('__proto__')).toContain('reserved')
})
