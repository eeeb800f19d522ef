import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Incoming } from './incoming.ts'
import type { BinnedFile, StorageMark } from './names.ts'

interface StoredFile {
  key: string
  modifiedAt: Date
}

/** The storage of attachments. Keys are `<organization>/<aa>/<bb>/<uuid>`; files never change once kept. Names of any other form are not ours. */
export interface Storage {
  receive(): Promise<Incoming>
  /** Throws a Failure `unavailable` when the storage is unreachable; `null` when it has no such file. */
  read(key: string): Promise<Readable | null>
  /** A missing file counts as removed. */
  remove(key: string): Promise<void>
  /** In the order of the keys, byte by byte, from the one that follows `after`. */
  list(after?: string): AsyncIterable<StoredFile>
  /** Deletes partial uploads of killed processes from before this time. Returns their number. */
  removeAbandoned(before: Date): Promise<number>

  moveToBin(key: string, stamp: string): Promise<void>
  putBack(file: BinnedFile): Promise<void>
  removeFromBin(file: BinnedFile): Promise<void>
  listBin(): AsyncIterable<BinnedFile>

  /** Null where there is none. */
  readMark(): Promise<StorageMark | null>
  /** Writes the mark if there is none; the first of several writers wins. */
  writeFirstMark(mark: StorageMark): Promise<void>
  replaceMark(mark: StorageMark): Promise<void>
  removeMark(): Promise<void>
  /** Whether the storage contains anything besides the mark. */
  holdsAnything(): Promise<boolean>

  /** The disk that receives attachments: bytes free, bytes in total, and below how many free ones attachments are refused. */
  free(): Promise<{ bytes: number; total: number; least: number }>
}

export function newStorageKey(organizationId: number) {
  const id = randomUUID()
  return `${organizationId}/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`
}
