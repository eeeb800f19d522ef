import { statfsSync } from 'node:fs'

/** Three segments of PostgreSQL's own log: where that finds no space PostgreSQL stops, and reading with it. */
const reserve = 48 * 2 ** 20
const askedEvery = 250

/** Tells whether the disk is so full that nothing more may be written to it. */
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
