import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { FileStorage } from './file-storage.ts'
import type { Incoming } from './incoming.ts'
import { ObjectStorage } from './object-storage.ts'

export interface StoredFile {
  key: string
  modifiedAt: Date
}

export interface BinnedFile {
  key: string
  /** When it was moved there: the name of its folder in the bin. */
  stamp: string
}

/** The mark of a storage: its id and the database it belongs to; null when an older version wrote it. */
export interface StorageMark {
  id: string
  owner: string | null
}

/** The storage of attachments. Keys are `<organization>/<aa>/<bb>/<uuid>`; files never change once kept. Names of any other form are not ours. */
export interface Storage {
  receive(): Promise<Incoming>
  /** Throws a Failure `unavailable` when the storage is unreachable; `null` when it has no such file. */
  read(key: string): Promise<Readable | null>
  /** A missing file counts as removed. */
  remove(key: string): Promise<void>
  list(): AsyncIterable<StoredFile>
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

  /** Bytes free for attachments; Infinity if unknown. */
  free(): Promise<{ bytes: number; total: number }>
}

export function newStorageKey(organizationId: number) {
  const id = randomUUID()
  return `${organizationId}/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`
}

/** The storage that the settings name; nothing is opened before it is first used. */
export function openStorage(config: Config): Storage {
  const { storage, silenceSeconds } = config
  if (!storage.startsWith('s3:')) return new FileStorage(directoryOf(config))
  // Three attempts end before the connection of somebody who waits for a file counts as silent.
  const patience = Math.min(8000, silenceSeconds * 250)
  return new ObjectStorage(storage, path.join(config.data, 'uploads'), patience)
}

/** The folder of the attachments; null when they are in S3. */
export function storageDirectory(config: Config) {
  return config.storage.startsWith('s3:') ? null : directoryOf(config)
}

function directoryOf({ storage, data }: Config) {
  if (storage === 'file:') return path.join(data, 'attachments')
  return fileURLToPath(storage)
}
