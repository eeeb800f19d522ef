import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, link, mkdir, open, opendir, readFile, rename, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { OperatorError } from '../operator-error.ts'
import { Failure } from './failure.ts'

/** A file that is arriving: nobody sees it until it is kept, and nothing of it stays once discarded. */
export interface Incoming {
  /** Where the bytes wait, for looking at what they are. */
  readonly path: string
  readonly bytes: number
  write(chunk: Buffer): Promise<void>
  /** Makes the bytes durable in the storage; the row that names the key may be written only after this. */
  keep(key: string): Promise<void>
  /** Harmless after `keep`. */
  discard(): Promise<void>
  /** Of all bytes written; ends the writing. */
  sha256(): Buffer
}

export interface StoredFile {
  key: string
  modifiedAt: Date
}

/** Where attachments lie. Keys are `<organization>/<aa>/<bb>/<uuid>`; files never change once kept. */
export interface Storage {
  receive(): Promise<Incoming>
  /** Throws a Failure `unavailable` when the storage is away, `null` when it has no such file. */
  read(key: string): Promise<Readable | null>
  /** A file that is not there counts as removed. */
  remove(key: string): Promise<void>
  /** Everything kept, and what a killed process left half received. */
  list(): AsyncIterable<StoredFile>
  /** Whether this is the storage the database knows: another disk, or none, is not ready. */
  isReady(db: Db): Promise<boolean>
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

const idFile = 'storage-id'
const temporaryFolder = 'incoming'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Compares the storage's id with the database's; the first of both to be used names the other. */
async function isSameStorage(db: Db, idOfStorage: (proposal: string | null) => Promise<string | null>) {
  const known = await db.selectFrom('installation').select('storage_id').executeTakeFirst()
  if (!known) return false
  if (known.storage_id !== null) return (await idOfStorage(null)) === known.storage_id
  const id = await idOfStorage(randomUUID())
  if (id === null) return false
  const { rows } = await sql<{ storage_id: string }>`
    update installation set storage_id = coalesce(storage_id, ${id}) returning storage_id`.execute(db)
  return rows[0]?.storage_id === id
}

/** Files below one folder. Temporary files lie on the same volume, so that a rename publishes them whole. */
class FileStorage implements Storage {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async receive() {
    const { bytes, total } = await this.free()
    if (bytes < Math.max(2 ** 30, total / 20)) throw new Failure('unavailable', 'The server has too little free disk space for attachments')
    return receiveIn(path.join(this.#directory, temporaryFolder), (from, key) => this.#publish(from, key))
  }

  async #publish(from: string, key: string) {
    const target = this.#pathOf(key)
    const folder = path.dirname(target)
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(from, target)
    // The name is durable only when its folder is, and a new folder only when its parents are.
    for (let at = folder; ; at = path.dirname(at)) {
      await syncFolder(at)
      if (made === undefined || at.length < made.length) break
    }
  }

  async read(key: string) {
    try {
      const handle = await open(this.#pathOf(key), constants.O_RDONLY)
      return handle.createReadStream()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw storageFailure(error)
    }
  }

  async remove(key: string) {
    await unlink(this.#pathOf(key)).catch(ignoreMissing)
  }

  async *list() {
    for await (const file of walk(this.#directory)) {
      const key = path.relative(this.#directory, file).split(path.sep).join('/')
      if (key === idFile) continue
      const found = await stat(file).catch(ignoreMissing)
      if (found) yield { key, modifiedAt: found.mtime }
    }
  }

  async isReady(db: Db) {
    return isSameStorage(db, async proposal => {
      const file = path.join(this.#directory, idFile)
      if (proposal !== null) {
        const arriving = path.join(this.#directory, temporaryFolder)
        await mkdir(arriving, { recursive: true, mode: 0o700 })
        await publishOnce(path.join(arriving, proposal), file, `${proposal}\n`)
      }
      const text = (await readFile(file, 'utf8').catch(ignoreMissing))?.trim()
      return text && uuid.test(text) ? text : null
    })
  }

  async free() {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const { bavail, blocks, bsize } = await statfs(this.#directory)
    return { bytes: bavail * bsize, total: blocks * bsize }
  }

  #pathOf(key: string) {
    // Keys come from our own rows; this only makes a mistake there harmless.
    if (!/^(\d+\/[0-9a-f]{2}\/[0-9a-f]{2}|incoming)\/[0-9a-f-]{36}$/.test(key)) throw new Error(`not a storage key: ${key}`)
    return path.join(this.#directory, ...key.split('/'))
  }
}

/** `s3://key:secret@host:port/bucket?region=…&tls=0|1`, through flydrive, which is loaded with the first use. */
class ObjectStorage implements Storage {
  readonly #address: URL
  readonly #temporary: string
  #driver: Promise<import('flydrive/drivers/s3').S3Driver> | undefined

  constructor(address: string, temporary: string) {
    if (!URL.canParse(address)) throw new OperatorError('TESSERA_STORAGE is not an address: give s3://key:secret@host/bucket?region=….')
    this.#address = new URL(address)
    if (this.#address.host === '' || this.#address.pathname.length < 2)
      throw new OperatorError('TESSERA_STORAGE lacks the host or the bucket: give s3://key:secret@host/bucket?region=….')
    this.#temporary = temporary
  }

  get #s3() {
    this.#driver ??= import('flydrive/drivers/s3').then(({ S3Driver }) => {
      const { host, username, password, pathname, searchParams } = this.#address
      return new S3Driver({
        credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
        endpoint: `${searchParams.get('tls') === '0' ? 'http' : 'https'}://${host}`,
        region: searchParams.get('region') ?? 'us-east-1',
        bucket: decodeURIComponent(pathname.slice(1)),
        forcePathStyle: searchParams.get('style') !== 'virtual',
        visibility: 'private',
        supportsACL: false,
        // The SDK's own choice keeps its trailing checksum in the object on servers that do not know it: a file longer than was sent.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        maxAttempts: 3,
      })
    })
    return this.#driver
  }

  receive() {
    return receiveIn(this.#temporary, async (from, key, bytes) => {
      const driver = await this.#s3
      await driver.putStream(key, createReadStream(from), { contentLength: bytes, contentType: 'application/octet-stream' })
      const { contentLength } = await driver.getMetaData(key)
      if (contentLength !== bytes) throw new Error(`the storage kept ${contentLength} of ${bytes} bytes`)
      await unlink(from).catch(ignoreMissing)
    })
  }

  async read(key: string) {
    try {
      return Readable.from(await (await this.#s3).getStream(key))
    } catch (error) {
      if (isMissingObject(error)) return null
      throw storageFailure(error)
    }
  }

  async remove(key: string) {
    await (await this.#s3).delete(key)
  }

  async *list() {
    const driver = await this.#s3
    let paginationToken: string | undefined
    do {
      const page = await driver.listAll('/', { recursive: true, ...(paginationToken === undefined ? {} : { paginationToken }) })
      for (const entry of page.objects) {
        if (!entry.isFile || entry.key === idFile) continue
        yield { key: entry.key, modifiedAt: (await entry.getMetaData()).lastModified }
      }
      paginationToken = page.paginationToken
    } while (paginationToken !== undefined)
    for await (const file of walk(this.#temporary)) {
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > 24 * 3_600_000) await unlink(file).catch(ignoreMissing)
    }
  }

  async isReady(db: Db) {
    return isSameStorage(db, async proposal => {
      const driver = await this.#s3
      const read = () =>
        driver.get(idFile).catch(error => {
          if (isMissingObject(error)) return null
          throw error
        })
      const present = (await read())?.trim()
      if (present || proposal === null) return present ?? null
      await driver.put(idFile, `${proposal}\n`)
      return (await read())?.trim() ?? null
    })
  }

  async free() {
    return { bytes: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }
  }
}

/** Takes the bytes into a new file of this folder, which `publish` moves or copies to its place. */
async function receiveIn(folder: string, publish: (from: string, key: string, bytes: number) => Promise<void>): Promise<Incoming> {
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

async function* walk(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(ignoreMissing)
  if (!entries) return
  for await (const entry of entries) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(file)
    else if (entry.isFile()) yield file
  }
}

/** The file appears whole or not at all, and never in place of another. */
async function publishOnce(temporary: string, file: string, content: string) {
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: 'wx', flush: true })
    await link(temporary, file).catch(error => {
      // Some file systems have no links.
      if (codeOf(error) !== 'EEXIST') return rename(temporary, file)
    })
  } finally {
    await unlink(temporary).catch(ignoreMissing)
  }
}

async function syncFolder(folder: string) {
  // Windows cannot open a folder, and needs no such call.
  const handle = await open(folder, constants.O_RDONLY).catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

function codeOf(error: unknown) {
  return (error as NodeJS.ErrnoException | null)?.code
}
function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function isMissingObject(error: unknown): boolean {
  const { name, $metadata, cause } = error as { name?: string; $metadata?: { httpStatusCode?: number }; cause?: unknown }
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404 || (cause !== undefined && isMissingObject(cause))
}

/** What the disk or the object store refuses is no defect of ours: 503, try again. */
function storageFailure(error: unknown) {
  if (error instanceof Failure) return error
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error) ?? '')
  const failure = new Failure(
    'unavailable',
    isFull ? 'The storage of attachments is full' : 'The storage of attachments is away, try again in a moment',
  )
  failure.cause = error
  return failure
}
