import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart'
import { shapeOf } from '@tessera/contract/shapes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answer } from '../http/answer.ts'
import type { Handler } from '../http/implement.ts'
import { beforeBody } from '../http/rpc.ts'
import { credentialsOf } from '../http/session-cookie.ts'
import { withoutSilenceLimit } from '../http/silence.ts'
import { authorize, authorizeSession, type Credentials } from '../lib/authorize.ts'
import { Failure, invalid } from '../lib/failure.ts'
import { limitPerKey } from '../lib/turns.ts'
import type { System } from '../process/system.ts'
import { isOwnStorage } from '../storage/belonging.ts'
import type { Incoming } from '../storage/incoming.ts'
import { newStorageKey } from '../storage/storage.ts'
import { type FileContent, fitsExtension, inspectFile, typesOf } from './file-content.ts'
import { cleanFileName, extensionOf, fileNameOfForm } from './file-name.ts'
import type { PictureSize } from './picture-size.ts'
import { readSteadily, type Unwatched, withoutTimeouts } from './upload-rate.ts'
import { requireClean } from './virus-scan.ts'

/** A file in the storage that does not have its row yet. */
export interface KeptFile {
  name: string
  contentType: string
  pixels?: PictureSize
  bytes: number
  sha256: Buffer
  storageKey: string
}

declare module 'fastify' {
  interface FastifyRequest {
    upload?: { file: KeptFile; isUsed: boolean }
    uploader?: number
  }
}

/** What a form may have besides its file, in bytes. */
const formBytes = 64 * 1024
const formContents = 'must have idTicket once, file once and nothing else'
const megapixels = 50
const atOncePerUser = 2
const mostWaiting = 20
/** How long a refused client may go on sending before it is disconnected. */
const refusedSendsMilliseconds = 10_000

/** The one route whose body is a form: the file is streamed to the storage and inspected before it gets its row. */
export async function receiveUploads(app: FastifyInstance, system: System, handler: Handler) {
  const { call } = handler
  const { summary, response } = shapeOf(call)
  const { attachmentMaxBytes, silenceSeconds } = system.config
  const limited = limitPerKey(atOncePerUser, mostWaiting, `At most ${atOncePerUser} files are received at once`)
  await app.register(multipart, { throwFileSizeLimit: false })

  app.route({
    method: 'POST',
    url: call.path,
    config: { call },
    schema: { summary, consumes: ['multipart/form-data'], response: { 200: response } },
    // Everything that can be refused before the body is read.
    onRequest: async request => {
      beforeBody(system, call, request)
      const { userId } = await withoutSilenceLimit(request.raw.socket, silenceSeconds, () =>
        authorizeSession(system.db, credentialsOf(system.config, request), system.config.session),
      )
      if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')) {
        throw new Failure('media_type', 'Send multipart/form-data with idTicket and file')
      }
      if (Number(request.headers['content-length'] ?? 0) > attachmentMaxBytes + formBytes) throw tooLarge(attachmentMaxBytes)
      request.uploader = userId
    },
    handler: (request, reply) => {
      reply.raw.once('finish', () => {
        if (request.raw.complete) return
        // Reads on so that the client gets the answer: most read it only after they have sent everything.
        request.raw.unpipe().resume()
        setTimeout(() => request.raw.complete || request.raw.destroy(), refusedSendsMilliseconds).unref()
      })
      return withoutTimeouts(request.raw.socket, silenceSeconds, () =>
        limited(request.uploader as number, () => receive({ system, handler, request, reply })),
      )
    },
  } as Parameters<FastifyInstance['route']>[0])
}

/** A request on its way. */
interface Upload {
  system: System
  handler: Handler
  request: FastifyRequest
  reply: FastifyReply
}

async function receive(upload: Upload) {
  const { system, request } = upload
  if (!(await isOwnStorage(system.db, system.storage).catch(() => false)))
    throw new Failure('unavailable', 'The storage of attachments is not available')
  const incoming = await system.storage.receive()
  try {
    const { attachmentMaxBytes, silenceSeconds } = system.config
    const { idTicket, givenName, isProved } = await readSteadily(
      request.raw.socket,
      { most: attachmentMaxBytes + formBytes, silenceSeconds },
      unwatched => readForm(upload, incoming, unwatched),
    )
    if (!isProved) await prove(upload, idTicket)
    const content = await acceptable(system, incoming, givenName)
    const { organizationId } = credentialsOf(system.config, request) as Credentials
    const file: KeptFile = {
      ...content,
      bytes: incoming.bytes,
      sha256: incoming.sha256(),
      storageKey: newStorageKey(organizationId),
    }
    await incoming.keep(file.storageKey)
    return await writeRow(upload, idTicket, file)
  } finally {
    await incoming.discard()
  }
}

/** The file is stored; it is removed again if the row has certainly not been written. */
async function writeRow({ system, handler, request, reply }: Upload, idTicket: number, file: KeptFile) {
  request.upload = { file, isUsed: false }
  // If that fails, the clean-up removes the file.
  const remove = () =>
    system.storage.remove(file.storageKey).catch(error => request.log.warn({ err: error }, 'an unused file was not removed'))
  try {
    const given = { idTicket, name: file.name, sha256: file.sha256.toString('hex') }
    const result = await answer(system, handler, request, reply, given)
    // A repeated Idempotency-Key: the first file is kept, this one is removed.
    if (!request.upload.isUsed) await remove()
    return result
  } catch (error) {
    // After any other error the row may exist: the clean-up decides a day later.
    if (error instanceof Failure) await remove()
    throw error
  }
}

async function prove({ system: { config, db }, handler: { call }, request }: Upload, idTicket: number) {
  await authorize(db, { call, credentials: credentialsOf(config, request), limits: config.session, input: { idTicket } })
}

/** Reads the whole form. When the ticket id comes first, a caller without permission is refused before the file is read. */
async function readForm(upload: Upload, incoming: Incoming, unwatched: Unwatched) {
  const { attachmentMaxBytes } = upload.system.config
  const parts = upload.request.parts({
    limits: { files: 1, fields: 5, parts: 7, fileSize: attachmentMaxBytes, fieldSize: 100, fieldNameSize: 100, headerPairs: 20 },
    isPartAFile: (name, _type, fileName) => name === 'file' || fileName !== undefined,
  })
  let idTicket: number | undefined
  let givenName: string | undefined
  let isProved = false
  for (let part = await nextPart(parts); part; part = await nextPart(parts)) {
    if (part.type === 'file') {
      if (part.fieldname !== 'file')
        throw invalid('body', `must not have a file named ${JSON.stringify(part.fieldname)}: it is called file`)
      const id = idTicket
      if (id !== undefined) {
        await unwatched(() => prove(upload, id))
        isProved = true
      }
      givenName = fileNameOfForm(part.filename ?? '')
      await receiveFile(part, incoming, attachmentMaxBytes)
    } else {
      if (part.fieldname !== 'idTicket') throw invalid('body', formContents)
      if (idTicket !== undefined) throw invalid('idTicket', formContents)
      idTicket = ticketIdOf(part.value)
    }
  }
  if (idTicket === undefined) throw invalid('idTicket', 'is missing')
  if (givenName === undefined) throw invalid('file', 'is missing')
  return { idTicket, givenName, isProved }
}

async function nextPart(parts: AsyncIterableIterator<Multipart>): Promise<Multipart | undefined> {
  try {
    const { value, done } = await parts.next()
    return done ? undefined : value
  } catch (error) {
    throw brokenForm(error)
  }
}

function ticketIdOf(text: unknown) {
  const id = Number(text)
  if (typeof text === 'string' && /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(id)) return id
  throw invalid('idTicket', 'must be the id of a ticket')
}

async function receiveFile({ file }: MultipartFile, incoming: Incoming, most: number) {
  // The parser reads to the end of an oversized part before it ends the stream.
  const stop = () => file.destroy(tooLarge(most))
  if (file.truncated) stop()
  file.once('limit', stop)
  try {
    for await (const chunk of file) await incoming.write(chunk as Buffer)
  } catch (error) {
    throw brokenForm(error)
  }
}

/** The name and type under which the file is stored. */
async function acceptable(
  { config }: System,
  incoming: Incoming,
  givenName: string,
): Promise<Pick<KeptFile, 'name' | 'contentType' | 'pixels'>> {
  if (incoming.bytes === 0) throw new Failure('media_type', 'The file is empty')
  const content = await inspectFile(incoming.path)
  const type = content && typesOf(content, extensionOf(cleanFileName(givenName))).find(one => config.attachmentTypes.includes(one))
  const accepted = `must be of one of these types: ${config.attachmentTypes.join(', ')}`
  if (!content) throw new Failure('media_type', `The file is damaged or of an unknown type; it ${accepted}`)
  if (!type) throw new Failure('media_type', `The file ${accepted}`)
  const name = nameFor({ ...content, type }, givenName)
  if (config.clamdSocket !== undefined) await requireClean(config.clamdSocket, incoming.path)
  const { pixels } = content
  if (pixels && pixels.width * pixels.height > megapixels * 1_000_000) {
    throw new Failure('rule', `The picture has more than ${megapixels} megapixels`)
  }
  return { name, contentType: type, ...(pixels && { pixels }) }
}

function nameFor(content: FileContent, givenName: string) {
  const cleaned = cleanFileName(givenName)
  if (cleaned === '') return `file.${content.extension}`
  const extension = extensionOf(cleaned)
  if (extension === '') return cleanFileName(`${cleaned}.${content.extension}`)
  if (!fitsExtension(content, extension)) throw new Failure('media_type', `The file is ${content.type}, but its name ends in .${extension}`)
  return cleaned
}

function tooLarge(bytes: number) {
  return new Failure('too_large', `The file has more than ${Math.floor(bytes / 1024 / 1024)} MB`)
}

function brokenForm(error: unknown) {
  if (error instanceof Failure) return error
  if ((error as { statusCode?: number }).statusCode === 413) return invalid('body', formContents)
  return invalid('body', 'must be complete form data')
}
