import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { FileStorage } from './file-storage.ts'
import { ObjectStorage } from './s3/object-storage.ts'
import type { Storage } from './storage.ts'

/** The storage that the settings name; nothing is opened before it is first used. */
export function openStorage(config: Config): Storage {
  const { storage, silenceSeconds } = config
  const directory = storageDirectory(config)
  if (directory !== null) return new FileStorage(directory)
  // Three attempts end before the connection of somebody who waits for a file counts as silent.
  const patience = Math.min(8000, silenceSeconds * 250)
  return new ObjectStorage(storage, path.join(config.data, 'uploads'), patience)
}

/** The folder of the attachments; null when they are in S3. */
export function storageDirectory({ storage, data }: Config) {
  if (storage.startsWith('s3:')) return null
  return storage === 'file:' ? path.join(data, 'attachments') : fileURLToPath(storage)
}
