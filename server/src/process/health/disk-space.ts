import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { OperatorError } from '../../operator-error.ts'

/** Three WAL segments: without space for its log PostgreSQL stops, and reads with it. */
const reserve = 48 * 2 ** 20
const askedEvery = 250
/** What backups leave free, so that the server goes on accepting saves. */
const spared = 64 * 2 ** 20

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

export class NoRoom extends OperatorError {}

/** Throws NoRoom when `bytes` more would fill the folder's disk. Passes where the free space is unknown. */
export async function requireRoom(folder: string, bytes = 0) {
  const space = await statfs(folder).catch(() => null)
  if (!space) return
  const [free, needed] = [space.bavail * space.bsize, bytes + spared]
  if (free < needed) throw new NoRoom(`${megabytes(needed)} must be free at ${folder}, and ${megabytes(free)} are: make room there.`)
}

function megabytes(bytes: number) {
  return `${Math.round(bytes / 1e6)} MB`
}
