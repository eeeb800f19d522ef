import { limits } from '../limits.ts'
import { isQueryName } from './names.ts'
import { named, type Piece, type Token, tokenize } from './tokens.ts'
import { allOf, type Match, type Query, QueryError, type SortTerm, type Span, type Tree, type Value } from './tree.ts'
import { readValues } from './values.ts'

type Part = Match | Value | SortTerm

export interface Parsed extends Query {
  /** The position in the text of each match's name, each of its values, and each name in the order. */
  spanOf(part: Part): Span
  /** The last word, which may be unfinished; terms with a name may follow, such as a filter or an order. */
  lastWord: Tree | null
}

/** Reads a query; throws a `QueryError` with the position of what cannot be parsed. Names are not checked here. */
export function parse(text: string): Parsed {
  if (text.length > limits.queryLength) {
    const span = { position: limits.queryLength, length: text.length - limits.queryLength }
    throw new QueryError(`A query has at most ${limits.queryLength} characters`, span)
  }
  return new Reader(text).read()
}

/**
 * Reads the tokens from left to right, with a method for each rule of the grammar:
 *
 *     or   = and ('or' and)*
 *     and  = not*
 *     not  = ('-' | 'not') not | one
 *     one  = '(' or ')' | term
 *     term = word | phrase | name ':' values | 'sort:' names
 *
 * A rule returns null if it found nothing, or only `sort:`, which is no condition.
 */
class Reader {
  private readonly text: string
  private readonly tokens: readonly Token[]
  private at = 0
  private terms = 0
  private lastWord: Tree | null = null
  private readonly sort: SortTerm[] = []
  private readonly spans = new Map<Part, Span>()

  constructor(text: string) {
    this.text = text
    this.tokens = tokenize(text)
  }

  read(): Parsed {
    const where = this.readOr(0)
    if (this.next) throw new QueryError('This parenthesis was not opened', this.next)
    const whole = { position: 0, length: this.text.length }
    return { where, sort: this.sort, spanOf: part => this.spans.get(part) ?? whole, lastWord: this.lastWord }
  }

  private get next(): Token | undefined {
    return this.tokens[this.at]
  }
  private take(): Token {
    return this.tokens[this.at++] as Token
  }

  private readOr(depth: number): Tree | null {
    const of = [this.readAnd(depth)]
    const operators: Token[] = []
    while (isOperator(this.next, 'or')) {
      operators.push(this.take())
      of.push(this.readAnd(depth))
    }
    if (operators.length === 0) return of[0] ?? null
    const missing = of.indexOf(null)
    if (missing !== -1) throw new QueryError("'or' needs something on both sides", operators[Math.max(0, missing - 1)] as Token)
    return { kind: 'or', of: of as Tree[] }
  }

  private readAnd(depth: number): Tree | null {
    const of: Tree[] = []
    while (!endsAnd(this.next)) {
      const tree = this.readNot(depth)
      if (tree) of.push(tree)
    }
    return allOf(of)
  }

  private readNot(depth: number): Tree | null {
    const token = this.next as Token
    if (depth > limits.queryDepth) throw new QueryError(`Parentheses and negations go ${limits.queryDepth} deep at most`, token)
    if (token.kind !== '-' && !isOperator(token, 'not')) return this.readOne(depth)
    this.take()
    const excluded = this.next
    if (!excluded || endsAnd(excluded)) throw new QueryError(`'${token.kind === '-' ? '-' : 'not'}' needs something to exclude`, token)
    const of = this.readNot(depth + 1)
    return of && { kind: 'not', of }
  }

  private readOne(depth: number): Tree | null {
    const token = this.take()
    if (token.kind === '(') return this.readParentheses(token, depth)
    if (++this.terms > limits.queryTerms) throw new QueryError(`A query has at most ${limits.queryTerms} terms`, token)
    return this.readTerm(token, depth)
  }

  private readParentheses(open: Token, depth: number): Tree {
    const tree = this.readOr(depth + 1)
    if (!this.next) throw new QueryError('This parenthesis is not closed', open)
    const close = this.take()
    if (!tree) throw new QueryError('There is nothing in these parentheses', { ...open, length: close.position + 1 - open.position })
    return tree
  }

  private readTerm(token: Token, depth: number): Tree | null {
    const [first, ...more] = token.pieces as [Piece, ...Piece[]]
    const written = first.quoted ? undefined : named.exec(first.text)?.[1]
    if (written === undefined) return this.readWord(first)
    const from = written.length + 1
    const rest = { text: first.text.slice(from), quoted: false, position: first.position + from, length: first.length - from }
    const pieces = rest.text === '' ? more : [rest, ...more]
    if (written.toLowerCase() !== 'sort') return this.readMatch(written, pieces, token)
    if (depth > 0) throw new QueryError("'sort:' cannot be excluded, and must be outside the parentheses", token)
    this.readSort(pieces, token)
    return null
  }

  private readWord({ text, quoted, position, length }: Piece): Tree {
    if (quoted && text.trim() === '') throw new QueryError('There is nothing between these quotation marks', { position, length })
    const word: Tree = { kind: quoted ? 'phrase' : 'word', text }
    this.lastWord = quoted ? null : word
    return word
  }

  private readMatch(written: string, pieces: readonly Piece[], token: Token): Match {
    const values = readValues(pieces, token.position + token.length)
    for (const { value, span } of values) this.spans.set(value, span)
    const match: Match = { kind: 'match', name: nameOf(written), values: values.map(({ value }) => value) }
    this.spans.set(match, { position: token.position, length: written.length })
    return match
  }

  private readSort(pieces: readonly Piece[], token: Token) {
    let position = token.position + 'sort:'.length
    const names = pieces.map(({ text }) => text).join('')
    for (const text of names.split(',')) {
      const [, minus = '', name = ''] = /^(-?)([A-Za-z0-9_]{1,64})$/.exec(text) ?? []
      if (name === '') throw new QueryError("'sort:' needs a name, or '-' and a name", token)
      const term = { name: nameOf(name), descending: minus === '-' }
      this.sort.push(term)
      this.spans.set(term, { position: position + minus.length, length: name.length })
      position += text.length + 1
    }
  }
}

function isOperator(token: Token | undefined, word: string) {
  const [piece] = token?.pieces ?? []
  return token?.kind === 'text' && token.pieces.length === 1 && !piece?.quoted && piece?.text.toLowerCase() === word
}
function endsAnd(token: Token | undefined) {
  return !token || token.kind === ')' || isOperator(token, 'or')
}

/** Built-in names in lower case; those of fields as they are written. */
function nameOf(written: string) {
  const lower = written.toLowerCase()
  return isQueryName(lower) ? lower : written
}
