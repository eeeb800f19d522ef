import type { ServerResponse } from 'node:http'

/**
 * An answer that is already JSON, for lists where the serializer of the response schema would take longer than the rest of the call. The code that writes the
 * text names each member; in the tests the server compares every answer with the schema.
 */
export class JsonText<_Value> {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The bytes belong to the response until it is closed. Encoded once: for a string, Fastify would compute the length first and Node.js encode it again. */
  encodeFor(response: ServerResponse): Buffer {
    const most = this.text.length * 3
    if (most > chunkBytes) return Buffer.from(this.text)
    const chunk = chunkWith(most)
    const start = chunk.used
    chunk.used += chunk.bytes.write(this.text, start)
    chunk.answers++
    response.once('close', () => release(chunk))
    return chunk.bytes.subarray(start, chunk.used)
  }
}

// Answers are slices of chunks that are reused. Allocating a buffer per answer takes longer than encoding it and keeps the garbage collector busy.
interface Chunk {
  bytes: Buffer
  used: number
  /** Number of its answers that are still being sent. */
  answers: number
}
const chunkBytes = 256 * 1024
const maxFree = 4
const free: Chunk[] = []
let current: Chunk | undefined

function chunkWith(bytes: number): Chunk {
  if (current && current.used + bytes <= chunkBytes) return current
  const last = current
  current = free.pop() ?? { bytes: Buffer.allocUnsafeSlow(chunkBytes), used: 0, answers: 0 }
  if (last) reuse(last)
  return current
}

function release(chunk: Chunk) {
  chunk.answers--
  reuse(chunk)
}

function reuse(chunk: Chunk) {
  if (chunk.answers > 0 || (chunk !== current && free.length === maxFree)) return
  chunk.used = 0
  if (chunk !== current) free.push(chunk)
}
