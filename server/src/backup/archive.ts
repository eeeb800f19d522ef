import type { Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Header } from 'tar'
import { OperatorError } from '../operator-error.ts'
import { syncFolder } from '../storage/files.ts'

const block = 512

export interface ArchiveWriter {
  add(name: string, content: Buffer): Promise<void>
  /** Throws when the stream has not exactly `size` bytes. */
  addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void>
  /** Flushes the file and renames it to its final name; returns its size. */
  finish(): Promise<number>
  /** Deletes the unfinished file. */
  discard(): Promise<void>
}

/** Writes a .tar.gz and gives it its final name only when it is complete. */
export function createArchive(file: string): ArchiveWriter {
  const partial = `${file}.partial`
  const gzip = createGzip({ level: 4 })
  const output = createWriteStream(partial, { mode: 0o600 })
  let fault: unknown
  let goOn = () => {}
  gzip.on('drain', () => goOn())
  const written = pipeline(gzip, output)
    .catch((error: NodeJS.ErrnoException) => {
      fault = error.syscall === undefined ? error : new OperatorError(`Cannot write ${partial} (${error.code}).`)
    })
    .finally(() => goOn())
  // No race with `written`, which would keep something of each wait until the end.
  async function write(chunk: Buffer) {
    if (!fault && !gzip.write(chunk))
      await new Promise<void>(resolve => {
        goOn = resolve
      })
    if (fault) throw fault
  }
  async function head(name: string, size: number) {
    const header = new Header({ path: name, size, mode: 0o600, type: 'File', mtime: new Date() })
    const buffer = Buffer.alloc(block)
    header.encode(buffer, 0)
    await write(buffer)
  }
  const pad = (size: number) => Buffer.alloc((block - (size % block)) % block)
  return {
    async add(name, content) {
      await head(name, content.length)
      await write(content)
      await write(pad(content.length))
    },
    async addStream(name, size, content) {
      await head(name, size)
      let bytes = 0
      for await (const chunk of content) {
        bytes += chunk.length
        await write(chunk)
      }
      if (bytes !== size) throw new OperatorError(`${name} has ${bytes} bytes and its row says ${size}.`)
      await write(pad(size))
    },
    async finish() {
      gzip.end(Buffer.alloc(2 * block))
      await written
      if (fault) throw fault
      const handle = await open(partial, 'r')
      await handle.sync()
      const { size } = await handle.stat()
      await handle.close()
      await rename(partial, file)
      await syncFolder(path.dirname(file))
      return size
    },
    async discard() {
      gzip.destroy()
      await written
      await rm(partial, { force: true }).catch(() => {})
    },
  }
}

export interface ArchiveEntry {
  name: string
  size: number
  content: AsyncIterable<Buffer>
}

/** The entries of a .tar.gz in order; unread bytes of an entry are skipped. Throws a one-line error for a damaged file or one that is no archive. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const damaged = (why: string) => new OperatorError(`${file} is damaged or not a backup (${why}).`)
  const source = createReadStream(file)
  const gunzip = createGunzip()
  // Its errors come through the iterator. It is not awaited: it may never settle when both are destroyed while bytes are being unpacked.
  pipeline(source, gunzip).catch(() => {})
  const chunks = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)

  /** Some bytes, `limit` at most; null at the end. */
  async function some(limit: number): Promise<Buffer | null> {
    while (rest.length === 0) {
      const next = await chunks.next().catch(error => {
        const { code, message, syscall } = error as NodeJS.ErrnoException
        if (code === 'ENOENT') throw new OperatorError(`There is no file ${file}.`)
        throw syscall === undefined ? damaged(message) : new OperatorError(`${file} cannot be read (${message}).`)
      })
      if (next.done) return null
      rest = next.value
    }
    const part = rest.subarray(0, limit)
    rest = rest.subarray(part.length)
    return part
  }
  async function exactly(size: number): Promise<Buffer | null> {
    const parts: Buffer[] = []
    for (let missing = size; missing > 0; ) {
      const part = await some(missing)
      if (!part) {
        if (parts.length === 0) return null
        throw damaged('it ends in the middle')
      }
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }

  try {
    for (;;) {
      const buffer = await exactly(block)
      if (!buffer) throw damaged('its end is missing')
      if (buffer.every(byte => byte === 0)) return
      const header = readHeader(buffer)
      if (!header) throw damaged('an entry cannot be read')
      let left = header.size
      async function* content() {
        while (left > 0) {
          const part = await some(left)
          if (!part) throw damaged('it ends in the middle')
          left -= part.length
          yield part
        }
      }
      yield { name: header.path, size: header.size, content: content() }
      for await (const _ of content()) {
        // Skips what the caller did not read.
      }
      await exactly((block - (header.size % block)) % block)
    }
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

/** Undefined if the block is no header: of some blocks `tar` finds a wrong checksum, at others it throws. */
function readHeader(buffer: Buffer) {
  try {
    const { cksumValid, path, size } = new Header(buffer, 0)
    return cksumValid && path !== undefined && size !== undefined ? { path, size } : undefined
  } catch {
    return undefined
  }
}

/** Passes the bytes on and adds them to the hash. */
export async function* hashed(content: AsyncIterable<Buffer>, hash: Hash) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}
