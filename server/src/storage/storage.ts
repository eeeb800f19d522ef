import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
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

/** What a storage says about itself: its id, and the database it belongs to; null when an older version wrote it. */
export interface StorageMark {
  id: string
  owner: string | null
}

/** Where attachments lie. Keys are `<organization>/<aa>/<bb>/<uuid>`; files never change once kept. Names of any other form are not ours. */
export interface Storage {
  receive(): Promise<Incoming>
  /** Throws a Failure `unavailable` when the storage is away, `null` when it has no such file. */
  read(key: string): Promise<Readable | null>
  /** A file that is not there counts as removed. */
  remove(key: string): Promise<void>
  list(): AsyncIterable<StoredFile>
  /** Deletes what a killed process left half received before this time. Returns how many. */
  removeAbandoned(before: Date): Promise<number>

  moveToBin(key: string, stamp: string): Promise<void>
  putBack(file: BinnedFile): Promise<void>
  removeFromBin(file: BinnedFile): Promise<void>
  listBin(): AsyncIterable<BinnedFile>

  /** Null where there is none. */
  readMark(): Promise<StorageMark | null>
  /** Writes the mark where there is none yet; the first of several writers wins. */
  writeFirstMark(mark: StorageMark): Promise<void>
  replaceMark(mark: StorageMark): Promise<void>
  removeMark(): Promise<void>
  /** Whether anything lies there besides the mark, whoever put it there. */
  holdsAnything(): Promise<boolean>

  /** Bytes free for attachments; Infinity where nobody counts. */
  free(): Promise<{ bytes: number; total: number }>
}

export function newStorageKey(organizationId: number) {
  const id = randomUUID()
  return `${organizationId}/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`
}

/** The storage that the settings name; nothing is opened before it is first used. */
export function openStorage(config: Config): Storage {
  const { storage } = config
  return storage.startsWith('s3:') ? new ObjectStorage(storage, path.join(config.data, 'uploads')) : new FileStorage(directoryOf(config))
}

/** The folder of the attachments, null when they lie in S3. */
export function storageDirectory(config: Config) {
  return config.storage.startsWith('s3:') ? null : directoryOf(config)
}

function directoryOf({ storage, data }: Config) {
  if (storage === 'file:') return path.join(data, 'attachments')
  if (!storage.startsWith('file:///')) {
    throw new OperatorError(`TESSERA_STORAGE is '${storage}': give file: or an absolute address such as file:///srv/attachments.`)
  }
  return fileURLToPath(storage)
}
