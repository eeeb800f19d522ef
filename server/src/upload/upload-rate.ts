import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { withoutSilenceLimit } from '../http/silence.ts'

/** A sender slower than this is disconnected while a body is read. */
const slowestBytesPerSecond = 10_240
const samplesPerWindow = 6

/** Sockets with an upload: no total or silence time-out applies to them, only `readSteadily`. */
const uploading = new WeakSet<Socket>()

/** Runs `work`, which receives and answers an upload, without time-outs of the connection. */
export async function withoutTimeouts<T>(socket: Socket, silenceSeconds: number, work: () => Promise<T>): Promise<T> {
  uploading.add(socket)
  try {
    return await withoutSilenceLimit(socket, silenceSeconds, work)
  } finally {
    uploading.delete(socket)
  }
}

/** Runs `work`, for which a sender waits in the middle of its body, without watching the sender. */
export type Unwatched = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs `read`, which reads the body, and disconnects a sender that is too slow, silent or endless. Nothing is monitored before and after: a client
 * that waits for a slot, the virus scanner or the storage has nothing to send.
 */
export async function readSteadily<T>(
  socket: Socket,
  { most, silenceSeconds }: { most: number; silenceSeconds: number },
  read: (unwatched: Unwatched) => Promise<T>,
) {
  const start = socket.bytesRead
  const watch = () => {
    const samples = [socket.bytesRead]
    const sample = () => {
      samples.push(socket.bytesRead)
      const before = samples.at(-1 - samplesPerWindow)
      const isSlow = before !== undefined && socket.bytesRead - before < slowestBytesPerSecond * silenceSeconds
      if (isSlow || socket.bytesRead - start > most * 2) socket.destroy()
    }
    return setInterval(sample, (silenceSeconds * 1000) / samplesPerWindow).unref()
  }
  let timer = watch()
  const unwatched: Unwatched = async work => {
    clearInterval(timer)
    try {
      return await work()
    } finally {
      timer = watch()
    }
  }
  try {
    return await read(unwatched)
  } finally {
    clearInterval(timer)
  }
}

const slowRequestAnswers: ReadonlyMap<string, readonly [status: string, code: string]> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'timeout']],
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'headers']],
])

/** The server's answer to a request that cannot be read or takes too long. */
export function endSlowRequest(this: FastifyInstance, error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, code] = slowRequestAnswers.get(error.code ?? '') ?? ['400 Bad Request', 'invalid']
  const body = JSON.stringify({ error: status.slice(4), code })
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}
