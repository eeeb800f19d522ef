import { createHmac } from 'node:crypto'
import { isSameSecret } from './same-secret.ts'

/** What a mail's link may do, and nothing else. */
type Purpose = 'unsubscribe' | 'confirm-email' | 'invitation'

function sign(secret: Buffer, purpose: Purpose, numbers: string) {
  return createHmac('sha256', secret).update(`${purpose}\n${numbers}`).digest('base64url')
}

/** A token that names what the link is about and that only this installation can make. Whether it still holds is for the database to say. */
export function signedToken(secret: Buffer, purpose: Purpose, ...numbers: number[]) {
  const text = numbers.join('-')
  return `${text}.${sign(secret, purpose, text)}`
}

/** The numbers of a token; undefined when it was not made here for this purpose. */
export function readSignedToken(secret: Buffer, purpose: Purpose, token: string): number[] | undefined {
  const [text = '', mac = ''] = token.split('.')
  return isSameSecret(sign(secret, purpose, text), mac) ? text.split('-').map(Number) : undefined
}
