import { expect, test } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { requireGoodPassword } from './password-policy.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

const config = { passwordMinLength: 8 }
const context = ['Acme Corp', 'jsmith', 'john.smith@example.org', 'Jonathan Smith']
function refusal(password: string, settings = config) {
  try {
    requireGoodPassword(settings, password, context)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

test('at least 3,000 blocked entries are long enough to matter', () => {
  expect([...commonPasswords()].filter(entry => entry.length >= 8).length).toBeGreaterThan(3000)
  expect([...commonPasswords()].filter(entry => entry.length >= 15).length).toBeGreaterThan(3000)
})

test('common passwords are refused, in any spelling', () => {
  for (const password of [
    ...['password', 'Password1', 'P@ssw0rd!', '12345678', 'qwertyuiop', 'Summer2026!', 'iloveyou', 'letmein123'],
    ...['aaaaaaaa', 'abcabcabc', 'abaabbab', '1q2w3e4r', '1qaz2wsx', 'qwerty123', 'trustno1', 'zaq12wsx'],
    ...['monkeydragon', 'monkey4711', '11223344', '1234qwer', 'ａｄｍｉｎ１２３'],
  ]) {
    expect(refusal(password), password).toMatch(/tried first/)
  }
})

test('names of the product, the organization and the person are refused, a phrase with one of them is not', () => {
  for (const password of ['tessera2026', 'Acme-Corp1', 'jsmith123', 'smith.smith', 'Jonathan!!1'])
    expect(refusal(password), password).toMatch(/your name/)
  expect(refusal('smith rides at dawn')).toBeUndefined()
})

test('length counts characters, bytes have a limit, nothing else is asked', () => {
  expect(refusal('Xk3#pL9')).toMatch(/at least 8/)
  expect(refusal('🦊🦉🐢🦜🐍🦄🐙🐝')).toBeUndefined()
  for (const password of ['zmqpxlwk', '%;)_&#-+!?']) expect(refusal(password), password).toBeUndefined()
  expect(refusal('x y'.repeat(400))).toMatch(/1024 bytes/)
  expect(refusal('correct horse', { passwordMinLength: 15 })).toMatch(/at least 15/)
})

test('a password is the same however a keyboard composes its characters', async () => {
  expect(await verifyPassword(await hashPassword('gru\u0308ne Ampel'), 'gr\u00fcne Ampel')).toBe(true)
  expect(await verifyPassword(await hashPassword('gr\u00fcne Ampel'), 'gru\u0308ne Ampel')).toBe(true)
})
