import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import type { System } from '../../src/process/system.ts'
import { storageDirectory } from '../../src/storage/open-storage.ts'
import type { Caller, TestServer } from './server.ts'

interface UploadOptions {
  order?: 'ticket first' | 'file first'
  headers?: Record<string, string>
  /** More parts, or others. */
  parts?: Buffer[]
}

export function formOf(parts: Buffer[], boundary: string) {
  const between = Buffer.from(`--${boundary}\r\n`)
  return Buffer.concat([...parts.flatMap(part => [between, part, Buffer.from('\r\n')]), Buffer.from(`--${boundary}--\r\n`)])
}
export function fieldPart(name: string, value: string) {
  return Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
}
export function filePart(fileName: string, content: Buffer, field = 'file') {
  // As browsers write it: only quotes and line ends are escaped.
  const escaped = fileName.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const head = `Content-Disposition: form-data; name="${field}"; filename="${escaped}"\r\nContent-Type: image/jpeg\r\n\r\n`
  return Buffer.concat([Buffer.from(head), content])
}

/** One upload through the real route. */
export async function upload(
  server: Pick<TestServer, 'app' | 'stranger'>,
  caller: Caller | null,
  idTicket: number | string,
  file: { name: string; content: Buffer },
  { order = 'ticket first', headers = {}, parts }: UploadOptions = {},
) {
  const who = caller ?? (await server.stranger())
  const boundary = `----${randomUUID()}`
  const form = [fieldPart('idTicket', String(idTicket)), filePart(file.name, file.content)]
  const answer = await server.app.inject({
    method: 'POST',
    url: attachmentUpload.path,
    cookies: who.cookies,
    headers: { ...who.headers, 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    payload: formOf(parts ?? (order === 'ticket first' ? form : form.reverse()), boundary),
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

/** Every file in the storage directory, including partial ones, but not the storage's id. */
export function filesOf({ config }: Pick<System, 'config'>) {
  const directory = storageDirectory(config)
  if (directory === null) throw new Error('only for storage on disk')
  if (!existsSync(directory)) return []
  return (
    readdirSync(directory, { recursive: true })
      .map(name => path.join(directory, String(name)))
      // A file may go while this looks.
      .filter(file => statSync(file, { throwIfNoEntry: false })?.isFile() && path.basename(file) !== 'storage-id')
  )
}
