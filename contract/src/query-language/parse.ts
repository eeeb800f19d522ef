import { limits } from '../limits.ts'
import { isQueryName } from './names.ts'
import { named, type Piece, type Token, tokenize } from './tokens.ts'
import { comparisons, type Match, type Query, QueryError, type SortTerm, type Span, type Tree, type Value } from './tree.ts'

export interface Parsed extends Query {
  /** The position in the text of each match's name, each of its values, and each name in the order. */
  spanOf(part: Match | Value | SortTerm): Span
  /** The last word, which may be unfinished; terms with a name may follow, such as a filter or an order. */
  lastWord: Tree | null
}

/** Reads a query; throws a `QueryError` with the position of what cannot be parsed. Names are not checked here. */
export function parse(text: string): Parsed {
  if (text.length > limits.queryLength) {
    const span = { position: limits.queryLength, length: text.length - limits.queryLength }
    throw new QueryError(`A query has at most ${limits.queryLength} characters`, span)
  }
  const tokens = tokenize(text)
  const spans = new Map<Match | Value | SortTerm, Span>()
  const sort: SortTerm[] = []
  let at = 0
  let terms = 0
  let lastWord: Tree | null = null

  const isOperator = (token: Token | undefined, word: string) =>
    token?.kind === 'text' && token.pieces.length === 1 && !token.pieces[0]?.quoted && token.pieces[0]?.text.toLowerCase() === word

  function readOr(depth: number): Tree | null {
    const of: (Tree | null)[] = [readAnd(depth)]
    const operators: Token[] = []
    while (isOperator(tokens[at], 'or')) {
      operators.push(tokens[at++] as Token)
      of.push(readAnd(depth))
    }
    if (operators.length === 0) return of[0] ?? null
    const missing = of.indexOf(null)
    if (missing !== -1) throw new QueryError("'or' needs something on both sides", operators[Math.max(0, missing - 1)] as Token)
    return { kind: 'or', of: of as Tree[] }
  }

  function readAnd(depth: number): Tree | null {
    const of: Tree[] = []
    while (at < tokens.length && tokens[at]?.kind !== ')' && !isOperator(tokens[at], 'or')) {
      const tree = readNot(depth)
      if (tree) of.push(tree)
    }
    return of.length > 1 ? { kind: 'and', of } : (of[0] ?? null)
  }

  function readNot(depth: number): Tree | null {
    const token = tokens[at] as Token
    if (depth > limits.queryDepth) throw new QueryError(`Parentheses and negations go ${limits.queryDepth} deep at most`, token)
    if (token.kind !== '-' && !isOperator(token, 'not')) return readOne(depth)
    at++
    const next = tokens[at]
    if (!next || next.kind === ')' || isOperator(next, 'or'))
      throw new QueryError(`'${token.kind === '-' ? '-' : 'not'}' needs something to exclude`, token)
    const of = readNot(depth + 1)
    if (!of) throw new QueryError("'sort:' cannot be excluded", next)
    return { kind: 'not', of }
  }

  function readOne(depth: number): Tree | null {
    const token = tokens[at++] as Token
    if (token.kind === '(') {
      const tree = readOr(depth + 1)
      const close = tokens[at++]
      if (!close) throw new QueryError('This parenthesis is not closed', token)
      if (!tree) throw new QueryError('There is nothing in these parentheses', { ...token, length: close.position + 1 - token.position })
      return tree
    }
    if (++terms > limits.queryTerms) throw new QueryError(`A query has at most ${limits.queryTerms} terms`, token)
    return readTerm(token, depth)
  }

  function readTerm(token: Token, depth: number): Tree | null {
    const [first, ...more] = token.pieces as [Piece, ...Piece[]]
    const written = first.quoted ? undefined : named.exec(first.text)?.[1]
    if (written === undefined) {
      lastWord = first.quoted ? null : { kind: 'word', text: first.text }
      return lastWord ?? phraseOf(first)
    }
    const lower = written.toLowerCase()
    const name = isQueryName(lower) || lower === 'sort' ? lower : written
    const from = written.length + 1
    const rest = { text: first.text.slice(from), quoted: false, position: first.position + from, length: first.length - from }
    const pieces = rest.text === '' ? more : [rest, ...more]
    if (name === 'sort') {
      if (depth > 0) throw new QueryError("'sort:' must be outside the parentheses", token)
      sort.push(...readSort(pieces, token))
      return null
    }
    const match: Match = { kind: 'match', name, values: readValues(pieces, token, spans) }
    spans.set(match, { position: token.position, length: written.length })
    return match
  }

  function readSort(pieces: readonly Piece[], token: Token): SortTerm[] {
    const names = pieces
      .map(({ text }) => text)
      .join('')
      .split(',')
    let position = token.position + 'sort:'.length
    return names.map(text => {
      const [, minus = '', name = ''] = /^(-?)([A-Za-z0-9_]{1,64})$/.exec(text) ?? []
      if (name === '') throw new QueryError("'sort:' needs a name, or '-' and a name", token)
      const term = { name: isQueryName(name.toLowerCase()) ? name.toLowerCase() : name, descending: minus === '-' }
      spans.set(term, { position: position + minus.length, length: name.length })
      position += text.length + 1
      return term
    })
  }

  const where = readOr(0)
  const stray = tokens[at]
  if (stray) throw new QueryError('This parenthesis was not opened', stray)
  return { where, sort, spanOf: part => spans.get(part) ?? { position: 0, length: text.length }, lastWord }
}

function phraseOf({ text, position, length }: Piece): Tree {
  if (text.trim() === '') throw new QueryError('There is nothing between these quotation marks', { position, length })
  return { kind: 'phrase', text }
}

/** The values after `name:`, split at commas outside of quotation marks. */
function readValues(pieces: readonly Piece[], token: Token, spans: Map<Match | Value | SortTerm, Span>): Value[] {
  const values: Value[] = []
  const add = (value: Value, { position, length }: Span) => {
    values.push(value)
    spans.set(value, { position, length })
  }
  let isWaiting = true
  const missing = (position: number) => new QueryError('A value is missing here', { position, length: 0 })
  for (const piece of pieces) {
    if (piece.quoted) {
      if (!isWaiting) throw new QueryError('A comma is missing before this quotation mark', piece)
      add({ kind: 'quoted', text: piece.text }, piece)
      isWaiting = false
      continue
    }
    let position = piece.position
    for (const [index, text] of piece.text.split(',').entries()) {
      if (index > 0) {
        if (isWaiting) throw missing(position - 1)
        isWaiting = true
      }
      if (text !== '') {
        if (!isWaiting) throw new QueryError('A comma is missing after this quotation mark', { position, length: text.length })
        const span = { position, length: text.length }
        add(readValue(text, span), span)
        isWaiting = false
      }
      position += text.length + 1
    }
  }
  if (isWaiting) throw missing(token.position + token.length)
  return values
}

function readValue(text: string, span: Span): Value {
  const operator = comparisons.find(each => text.startsWith(each))
  if (operator) {
    const rest = text.slice(operator.length)
    if (rest === '') throw new QueryError(`'${operator}' needs a value`, span)
    return { kind: 'compare', operator, text: rest }
  }
  const dots = text.indexOf('..')
  if (dots === -1) return { kind: 'text', text }
  const [from, to] = [text.slice(0, dots), text.slice(dots + 2)]
  if (from === '' && to === '') throw new QueryError("'..' needs a value before or after it", span)
  return { kind: 'range', from, to }
}
