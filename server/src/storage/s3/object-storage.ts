import { createReadStream } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { ignoreMissing, spaceAt } from '../files.ts'
import { receiveIn, removeAbandoned, requireSpace, storageFailure } from '../incoming.ts'
import type { BinnedFile, StorageMark } from '../names.ts'
import { binFolder, binName, isKey, markName, parseBinName, parseMark, requireKey, writeMarkText } from '../names.ts'
import type { Storage } from '../storage.ts'
import { requireObjectStorage } from './object-storage-address.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

const slowestBytesPerMillisecond = 64
/** Bytes that must be free where files lie on their way to the bucket: often the bundled database is on the same disk. */
const leastTemporarySpace = 256 * 2 ** 20
/** Milliseconds: some servers answer only when they have copied the whole object. */
const copyTimeout = 600_000
const attempts = 3

/** An S3 bucket, through Amazon's client, which is loaded with the first use. */
export class ObjectStorage implements Storage {
  readonly #options: S3ClientConfig
  readonly #bucket: string
  /** Prefix of every name; other objects of the bucket are not ours. */
  readonly #prefix: string
  readonly #temporary: string
  readonly #patience: number
  #opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined

  /** @param patience milliseconds that the bucket may take for the beginning of an answer, in each of three attempts; within an answer four times that. */
  constructor(address: string, temporary: string, patience: number) {
    const { bucket, prefix, ...access } = requireObjectStorage(address)
    this.#bucket = bucket
    this.#prefix = prefix
    this.#options = {
      ...access,
      // With the SDK's default, servers that do not know trailing checksums store them in the object, which makes the file longer.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: attempts,
      // Otherwise the client prints that it does not repeat a request with a stream.
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      requestHandler: { connectionTimeout: patience, requestTimeout: patience, throwOnRequestTimeout: true },
    }
    this.#temporary = temporary
    this.#patience = patience
  }

  get #s3() {
    this.#opened ??= import('@aws-sdk/client-s3').then(sdk => ({ sdk, client: new sdk.S3Client(this.#options) }))
    return this.#opened
  }

  #at(name: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + name }
  }

  async receive() {
    await requireSpace(this.free())
    return receiveIn(this.#temporary, async (from, key, bytes) => {
      const { sdk, client } = await this.#s3
      const at = this.#at(requireKey(key))
      await this.#send(from, at, bytes)
      const { ContentLength: kept } = await client.send(new sdk.HeadObjectCommand(at))
      if (kept !== bytes) throw new Error(`the storage kept ${kept} of ${bytes} bytes`)
      await unlink(from).catch(ignoreMissing)
    })
  }

  /** With new attempts of its own, because the client cannot read a stream twice. */
  async #send(from: string, at: { Bucket: string; Key: string }, bytes: number) {
    const { sdk, client } = await this.#s3
    for (let attempt = 1; ; attempt++) {
      const file = createReadStream(from)
      const stop = new AbortController()
      file.on('error', () => stop.abort())
      // The answer comes after the last byte, and a link may be slow: the SDK's time-out would count the sending too.
      const time = AbortSignal.timeout(Math.ceil(this.#patience + bytes / slowestBytesPerMillisecond))
      const abortSignal = AbortSignal.any([time, stop.signal])
      const put = new sdk.PutObjectCommand({ ...at, Body: file, ContentLength: bytes, ContentType: 'application/octet-stream' })
      try {
        await client.send(put, { requestTimeout: 0, abortSignal })
        return
      } catch (error) {
        const isFinal = attempt === attempts || abortSignal.aborted || !mayPass(error)
        // Some of the file may not be sent yet.
        stop.abort()
        if (isFinal) throw error
        await sleep(100 * attempt)
      } finally {
        file.destroy()
      }
    }
  }

  async read(key: string) {
    try {
      const { sdk, client } = await this.#s3
      const { Body } = await client.send(new sdk.GetObjectCommand(this.#at(requireKey(key))))
      return this.#steady(Body as Readable)
    } catch (error) {
      if (isMissingObject(error)) return null
      throw storageFailure(error)
    }
  }

  async remove(key: string) {
    await this.#delete(requireKey(key))
  }

  async *list(after = '') {
    for await (const { name, modifiedAt } of this.#names('', { after })) if (isKey(name)) yield { key: name, modifiedAt }
  }

  removeAbandoned(before: Date) {
    return removeAbandoned(this.#temporary, before)
  }

  async moveToBin(key: string, stamp: string) {
    await this.#move(requireKey(key), binName({ key, stamp }))
  }

  async putBack(file: BinnedFile) {
    await this.#move(binName(file), file.key)
  }

  async removeFromBin(file: BinnedFile) {
    await this.#delete(binName(file))
  }

  async *listBin() {
    for await (const { name } of this.#names(`${binFolder}/`)) {
      const file = parseBinName(name)
      if (file) yield file
    }
  }

  async readMark() {
    try {
      const { sdk, client } = await this.#s3
      const { Body } = await client.send(new sdk.GetObjectCommand(this.#at(markName)))
      return parseMark(await text(this.#steady(Body as Readable)))
    } catch (error) {
      if (isMissingObject(error)) return null
      throw error
    }
  }

  async writeFirstMark(mark: StorageMark) {
    const { sdk, client } = await this.#s3
    // Some servers ignore the condition: the nodes of one database take turns (belonging.ts).
    const body = { Body: writeMarkText(mark), IfNoneMatch: '*' }
    await client.send(new sdk.PutObjectCommand({ ...this.#at(markName), ...body })).catch(error => {
      if (error.$metadata?.httpStatusCode !== 412) throw error
    })
  }

  async replaceMark(mark: StorageMark) {
    const { sdk, client } = await this.#s3
    await client.send(new sdk.PutObjectCommand({ ...this.#at(markName), Body: writeMarkText(mark) }))
  }

  async removeMark() {
    await this.#delete(markName)
  }

  async holdsAnything() {
    for await (const { name } of this.#names('', { pageSize: 2 })) if (name !== markName) return true
    return false
  }

  async free() {
    return { ...(await spaceAt(this.#temporary)), least: leastTemporarySpace }
  }

  /** Fails if the bucket falls silent in the middle. Time in which nobody reads does not count: the reader may be slow. */
  #steady(body: Readable) {
    const patience = 4 * this.#patience
    async function* chunks() {
      const wait = () => setTimeout(() => body.destroy(new Error('The storage fell silent in the middle of a file')), patience)
      let timer = wait()
      try {
        for await (const chunk of body) {
          clearTimeout(timer)
          yield chunk
          timer = wait()
        }
      } finally {
        clearTimeout(timer)
      }
    }
    // Nothing has been read yet when a reader leaves at once.
    return Readable.from(chunks(), { objectMode: false }).once('close', () => body.destroy())
  }

  /** The names that begin so, without the storage's own prefix, a page at a time. */
  async *#names(begin: string, { after = '', pageSize = 1000 } = {}) {
    const { sdk, client } = await this.#s3
    const request = {
      Bucket: this.#bucket,
      Prefix: this.#prefix + begin,
      MaxKeys: pageSize,
      ...(after !== '' && { StartAfter: this.#prefix + after }),
    }
    for (let token: string | undefined; ; ) {
      const command = new sdk.ListObjectsV2Command({ ...request, ContinuationToken: token })
      // The SDK's own limit ends with the beginning of the answer.
      const page = await client.send(command, { abortSignal: AbortSignal.timeout(attempts * 4 * this.#patience) })
      for (const { Key = '', LastModified = new Date() } of page.Contents ?? [])
        yield { name: Key.slice(this.#prefix.length), modifiedAt: LastModified }
      token = page.NextContinuationToken
      // Some servers send an empty one with the last page.
      if (!token) return
    }
  }

  async #move(from: string, to: string) {
    const { sdk, client } = await this.#s3
    const { Bucket, Key } = this.#at(from)
    try {
      // The client encodes all parameters but this one.
      const CopySource = [Bucket, ...Key.split('/')].map(encodeURIComponent).join('/')
      await client.send(new sdk.CopyObjectCommand({ ...this.#at(to), CopySource }), { requestTimeout: copyTimeout })
    } catch (error) {
      if (isMissingObject(error)) return
      throw error
    }
    await this.#delete(from)
  }

  async #delete(name: string) {
    const { sdk, client } = await this.#s3
    await client.send(new sdk.DeleteObjectCommand(this.#at(name)))
  }
}

function ignore() {}

/** Whether a request that failed so may succeed when it is repeated. */
function mayPass(error: unknown) {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  const { httpStatusCode: status = 500 } = $metadata ?? {}
  // The client has corrected its clock meanwhile.
  return status >= 500 || status === 429 || name === 'RequestTimeTooSkewed'
}

function isMissingObject(error: unknown) {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404)
}
