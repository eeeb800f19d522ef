import type { Piece } from './tokens.ts'
import { comparisons, QueryError, type Span, type Value } from './tree.ts'

/** A value as it is written, or the comma between two. */
interface Item extends Span {
  kind: 'bare' | 'quoted' | ','
  text: string
}

/**
 * The values after `name:` with their positions, split at commas outside of quotation marks. Throws a `QueryError` where a value is missing, at `end`
 * if it is the last one.
 */
export function readValues(pieces: readonly Piece[], end: number): { value: Value; span: Span }[] {
  const found: { value: Value; span: Span }[] = []
  const missingAt = (position: number) => new QueryError('A value is missing here', { position, length: 0 })
  let isWaiting = true
  for (const { kind, text, ...span } of itemsOf(pieces)) {
    if (kind === ',') {
      if (isWaiting) throw missingAt(span.position)
    } else {
      if (!isWaiting) throw new QueryError(`A comma is missing ${kind === 'quoted' ? 'before' : 'after'} this quotation mark`, span)
      found.push({ value: kind === 'quoted' ? { kind, text } : readValue(text, span), span })
    }
    isWaiting = kind === ','
  }
  if (isWaiting) throw missingAt(end)
  return found
}

function itemsOf(pieces: readonly Piece[]): Item[] {
  return pieces.flatMap(({ text, quoted, position, length }): Item[] => {
    if (quoted) return [{ kind: 'quoted', text, position, length }]
    return [...text.matchAll(/,|[^,]+/g)].map(({ 0: part, index }) => ({
      kind: part === ',' ? ',' : 'bare',
      text: part,
      position: position + index,
      length: part.length,
    }))
  })
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
