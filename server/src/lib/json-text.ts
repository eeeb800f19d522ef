/**
 * An answer that is JSON already, for lists where the serializer of the response schema would take longer than the rest of the call. Whoever writes the text
 * names each member; the tests' server compares every answer with the schema.
 */
export class JsonText<_Value> {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Encoded once: a string would be measured first, and encoded with the headers then. */
  encode(): Buffer {
    const most = this.text.length * 3
    if (most > pieceBytes) return Buffer.from(this.text)
    if (used + most > pieceBytes) {
      piece = Buffer.allocUnsafeSlow(pieceBytes)
      used = 0
    }
    const start = used
    used += piece.write(this.text, start)
    return piece.subarray(start, used)
  }
}

// Answers are cut from larger pieces of memory: one for each would take longer than the encoding.
const pieceBytes = 256 * 1024
let piece = Buffer.alloc(0)
let used = pieceBytes
