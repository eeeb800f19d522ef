import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Storage } from '../../storage/storage.ts'
import { type ArchiveWriter, hashed } from '../archive.ts'
import { listedAttachments } from './rows.ts'

export interface FileFigures {
  /** Those that are as their rows say. */
  files: { count: number; bytes: number }
  /** Those that are missing or damaged, and name and key of the first ones. */
  lost: { count: number; names: string[] }
}

const mostNames = 5

/**
 * Adds the files of the listed attachments to the archive, in the order of the list. An entry `lost/<key>` without content stands for a missing file,
 * and follows a damaged one.
 */
export async function writeFiles(
  client: pg.Client,
  storage: Storage,
  archive: ArchiveWriter,
  beforeEntry: () => Promise<void>,
): Promise<FileFigures> {
  const files = { count: 0, bytes: 0 }
  const lost = { count: 0, names: [] as string[] }
  for await (const { name, storage_key: key, bytes, sha256 } of listedAttachments(client)) {
    await beforeEntry()
    const size = Number(bytes)
    const content = await readFile(storage, key)
    const hash = createHash('sha256')
    if (content) await archive.addStream(`files/${key}`, size, fitted(hashed(content, hash), size))
    if (content && hash.digest().equals(sha256)) {
      files.count++
      files.bytes += size
    } else {
      await archive.add(`lost/${key}`, Buffer.alloc(0))
      lost.count++
      if (lost.names.length < mostNames) lost.names.push(`${name} (${key})`)
    }
  }
  return { files, lost }
}

/** Null when the file is missing or cannot be opened. Throws when the whole storage is unreachable. */
async function readFile(storage: Storage, key: string) {
  try {
    return await storage.read(key)
  } catch (error) {
    if ((await storage.readMark().catch(() => null)) === null) throw error
    return null
  }
}

/** Exactly `size` bytes, because the archive names the size before the content. A file that cannot be read to its end is filled with zeros. */
async function* fitted(content: AsyncIterable<Buffer>, size: number) {
  let left = size
  try {
    for await (const chunk of content) {
      if (left === 0) break
      const part = chunk.subarray(0, left)
      left -= part.length
      yield part
    }
  } catch {
    // Its digest says that it is damaged.
  }
  if (left > 0) yield Buffer.alloc(left)
}
