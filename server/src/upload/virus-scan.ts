import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../lib/failure.ts'

const silenceTimeout = 30_000

/** Throws 422 when the ClamAV daemon at this socket finds something in the file, 503 when it does not say that the file is clean. */
export async function requireClean(socketPath: string, file: string) {
  const verdict = await ask(socketPath, file).catch(error => {
    throw Object.assign(new Failure('unavailable', 'The virus scanner does not answer, try again in a moment'), { cause: error })
  })
  const found = /^stream: (.+) FOUND/.exec(verdict)?.[1]
  if (found !== undefined) throw new Failure('rule', `The virus scanner refuses this file: ${found}`)
  if (!/^stream: OK/.test(verdict)) throw new Failure('unavailable', 'The virus scanner could not scan the file')
}

/** Throws unless a ClamAV daemon answers at this socket. */
export async function pingScanner(socketPath: string) {
  const socket = connectTo(socketPath)
  socket.write('zPING\0')
  const answer = await text(socket)
  if (!answer.startsWith('PONG')) throw new Error('the answer is not that of ClamAV')
}

function connectTo(socketPath: string) {
  const socket = connect(socketPath)
  return socket.setTimeout(silenceTimeout, () => socket.destroy(new Error('the virus scanner is too slow')))
}

async function ask(socketPath: string, file: string) {
  const socket = connectTo(socketPath)
  const answer = text(socket)
  socket.write('zINSTREAM\0')
  const sending = pipeline(createReadStream(file), chunked, socket, { end: false }).then(() => socket.write(Buffer.alloc(4)))
  // A scanner that has found something may answer before everything is sent.
  const [verdict] = await Promise.all([answer, sending.catch(() => undefined)])
  return verdict.replaceAll('\0', '').trim()
}

async function* chunked(source: AsyncIterable<Buffer>) {
  for await (const chunk of source) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    yield length
    yield chunk
  }
}
