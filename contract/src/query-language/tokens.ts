import { QueryError, type Span } from './tree.ts'

/** A name with its colon at the beginning of a term. An address such as https://… is a word. */
export const named = /^([A-Za-z0-9_]{1,64}):(?!\/\/)/

/** A piece of a query: a parenthesis, a minus before something, or a term. */
export interface Token extends Span {
  kind: '(' | ')' | '-' | 'text'
  /** A word or phrase is one piece; `a:"b c",d` has three. */
  pieces: readonly Piece[]
}
export interface Piece extends Span {
  text: string
  quoted: boolean
}

const blank = /\s/

/** Reads one token after another. A quotation mark that is not closed is an error at its position. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const letter = text[at] as string
    if (blank.test(letter)) at++
    else if (letter === '(' || letter === ')') tokens.push({ kind: letter, position: at++, length: 1, pieces: [] })
    else if (letter === '-' && at + 1 < text.length && !/[\s)]/.test(text[at + 1] as string))
      tokens.push({ kind: '-', position: at++, length: 1, pieces: [] })
    else {
      const term = readTerm(text, at)
      tokens.push(term)
      at += term.length
    }
  }
  return tokens
}

/** A word, a phrase, or a name with everything up to the next blank or parenthesis. */
function readTerm(text: string, position: number): Token {
  const pieces: Piece[] = []
  let at = position
  let hasName = true
  while (hasName && at < text.length && !/[\s()]/.test(text[at] as string)) {
    const piece = text[at] === '"' ? readQuoted(text, at) : readBare(text, at)
    pieces.push(piece)
    at += piece.length
    const [first = piece] = pieces
    hasName = !first.quoted && named.test(first.text)
  }
  return { kind: 'text', position, length: at - position, pieces }
}

function readBare(text: string, position: number): Piece {
  let end = position
  while (end < text.length && !/[\s()"]/.test(text[end] as string)) end++
  return { text: text.slice(position, end), quoted: false, position, length: end - position }
}

function readQuoted(text: string, position: number): Piece {
  let read = ''
  for (let at = position + 1; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === '"') return { text: read, quoted: true, position, length: at + 1 - position }
    if (letter === '\\' && at + 1 < text.length) at++
    read += text[at]
  }
  throw new QueryError('This quotation mark is not closed', { position, length: text.length - position })
}
