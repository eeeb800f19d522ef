import { timingSafeEqual } from 'node:crypto'

/** Whether they are the same; how long it takes tells nothing of where they differ. */
export function isSameSecret(expected: string, given: string) {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
