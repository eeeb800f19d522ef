import type { ServerResponse } from 'node:http'

/**
 * An answer that is JSON already, for lists where the serializer of the response schema would take longer than the rest of the call. Whoever writes the text
 * names each member; the tests' server compares every answer with the schema.
 */
export class JsonText<_Value> {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** The bytes, which are the response's until it is closed. Encoded once: a string would be measured first, and encoded with the headers then. */
  encodeFor(response: ServerResponse): Buffer {
    const most = this.text.length * 3
    if (most > pieceBytes) return Buffer.from(this.text)
    const piece = pieceWith(most)
    const start = piece.used
    piece.used += piece.bytes.write(this.text, start)
    piece.answers++
    response.once('close', () => giveBack(piece))
    return piece.bytes.subarray(start, piece.used)
  }
}

// Answers are cut from pieces of memory that are used again. Memory of its own for each would take longer than encoding it, and has the garbage collector run all the time.
interface Piece {
  bytes: Buffer
  used: number
  /** How many of its answers are on their way. */
  answers: number
}
const pieceBytes = 256 * 1024
const mostFree = 4
const free: Piece[] = []
let current: Piece | undefined

function pieceWith(bytes: number): Piece {
  if (current && current.used + bytes <= pieceBytes) return current
  const last = current
  current = free.pop() ?? { bytes: Buffer.allocUnsafeSlow(pieceBytes), used: 0, answers: 0 }
  if (last) reuse(last)
  return current
}

function giveBack(piece: Piece) {
  piece.answers--
  reuse(piece)
}

function reuse(piece: Piece) {
  if (piece.answers > 0 || (piece !== current && free.length === mostFree)) return
  piece.used = 0
  if (piece !== current) free.push(piece)
}
