import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from '../lib/failure.ts'
import { codeOf, filesBelow, ignoreMissing } from './files.ts'
import { isUuid } from './names.ts'

/** An incoming file: invisible until `keep`, and removed completely by `discard`. */
export interface Incoming {
  /** The path of the received bytes, for inspection. */
  readonly path: string
  readonly bytes: number
  write(chunk: Buffer): Promise<void>
  /** Makes the bytes durable in the storage; only then may the row with the key be written. */
  keep(key: string): Promise<void>
  /** Harmless after `keep`. */
  discard(): Promise<void>
  /** The digest of all bytes written; no more can be written afterwards. */
  sha256(): Buffer
}

/** Throws a Failure `unavailable` when the disk that receives files has too little space for further ones. */
export async function requireSpace(free: Promise<{ bytes: number; least: number }>) {
  const { bytes, least } = await free.catch(error => {
    throw storageFailure(error)
  })
  if (bytes < least) throw new Failure('unavailable', 'The server has too little free disk space for attachments')
}

/** Receives the bytes into a new file of this folder, which `publish` moves or copies to its place. */
export async function receiveIn(folder: string, publish: (from: string, key: string, bytes: number) => Promise<void>): Promise<Incoming> {
  const file = path.join(folder, randomUUID())
  const create = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return open(file, 'wx', 0o600)
  }
  let handle: FileHandle | null = await create().catch(error => {
    throw storageFailure(error)
  })
  const hash = createHash('sha256')
  let digest: Buffer | undefined
  let bytes = 0
  let isKept = false
  return {
    path: file,
    get bytes() {
      return bytes
    },
    async write(chunk) {
      try {
        await handle?.writeFile(chunk)
      } catch (error) {
        throw storageFailure(error)
      }
      hash.update(chunk)
      bytes += chunk.length
    },
    async keep(key) {
      try {
        await handle?.sync()
        await handle?.close()
        handle = null
        await publish(file, key, bytes)
      } catch (error) {
        throw storageFailure(error)
      }
      isKept = true
    },
    async discard() {
      if (isKept) return
      await handle?.close().catch(() => {})
      handle = null
      await unlink(file).catch(ignoreMissing)
    },
    sha256() {
      digest ??= hash.digest()
      return digest
    },
  }
}

/** Deletes what was received in this folder and abandoned before this time. Returns how many. */
export async function removeAbandoned(folder: string, before: Date) {
  let removed = 0
  for await (const file of filesBelow(folder)) {
    const found = await stat(file).catch(ignoreMissing)
    if (!found || found.mtime >= before || !isUuid(path.basename(file))) continue
    await unlink(file).catch(ignoreMissing)
    removed++
  }
  return removed
}

/** Errors of the disk or the object store are answered 503, not 500. */
export function storageFailure(error: unknown) {
  if (error instanceof Failure) return error
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error) ?? '')
  const failure = new Failure(
    'unavailable',
    isFull ? 'The storage of attachments is full' : 'The storage of attachments is not available, try again in a moment',
  )
  failure.cause = error
  return failure
}
