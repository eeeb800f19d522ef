import { statfsSync } from 'node:fs'

/** Three WAL segments: without space for its log PostgreSQL stops, and reads with it. */
const reserve = 48 * 2 ** 20
const askedEvery = 250

/** Whether the disk is too full for further writes. */
export function watchDisk(directory: string) {
  let [askedAt, isFull] = [Number.NEGATIVE_INFINITY, false]
  return () => {
    const now = performance.now()
    if (now - askedAt < askedEvery) return isFull
    askedAt = now
    try {
      const { bavail, bsize } = statfsSync(directory)
      isFull = bavail * bsize < reserve
    } catch {
      isFull = false
    }
    return isFull
  }
}
