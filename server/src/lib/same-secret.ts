import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time. */
export function isSameSecret(expected: string, given: string) {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
