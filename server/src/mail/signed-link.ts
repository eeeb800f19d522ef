import { createHmac, type KeyObject } from 'node:crypto'
import { isSameSecret } from '../lib/same-secret.ts'

/** The only purposes of a signed link. */
type Purpose = 'unsubscribe' | 'confirm-email' | 'invitation'

function sign(secret: KeyObject, purpose: Purpose, numbers: string) {
  return createHmac('sha256', secret).update(`${purpose}\n${numbers}`).digest('base64url')
}

/** A signed token that names the object of the link. Whether it is still valid is read from the database. */
export function signedToken(secret: KeyObject, purpose: Purpose, ...numbers: number[]) {
  const text = numbers.join('-')
  return `${text}.${sign(secret, purpose, text)}`
}

/** The numbers of a token; undefined when its signature or purpose is wrong. */
export function readSignedToken(secret: KeyObject, purpose: Purpose, token: string): number[] | undefined {
  const [text = '', mac = ''] = token.split('.')
  return isSameSecret(sign(secret, purpose, text), mac) ? text.split('-').map(Number) : undefined
}
