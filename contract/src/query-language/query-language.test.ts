import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { editDistance, nearestNames, queryNames } from './names.ts'
import { parse } from './parse.ts'
import { print, valueText } from './print.ts'
import { comparisons, matchesOf, QueryError, type Tree, type Value } from './tree.ts'

const word = fc.stringMatching(/^[^\s()"\\:,<>.-][^\s()":]{0,12}$/u).filter(text => !/^(or|not)$/i.test(text) && !text.endsWith('-'))
const bare = fc.stringMatching(/^[^\s()",<>.][^\s()",.]{0,8}(\.[^\s()",.]{1,4})?$/u)
const quotable = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const name = fc.oneof(fc.constantFrom(...queryNames), fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/)).filter(text => text !== 'sort')
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: bare }),
  fc.record({ kind: fc.constant('quoted' as const), text: quotable }),
  fc.record({
    kind: fc.constant('compare' as const),
    operator: fc.constantFrom(...comparisons),
    text: bare.filter(text => !text.startsWith('=')),
  }),
  fc.record({ kind: fc.constant('range' as const), from: bare, to: bare }),
  fc.record({ kind: fc.constant('range' as const), from: fc.constant(''), to: bare }),
)
const parts = (part: fc.Arbitrary<Tree>) => fc.array(part, { minLength: 2, maxLength: 3 })
const { tree } = fc.letrec<{ tree: Tree; leaf: Tree }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    fc.record({ kind: fc.constant('and' as const), of: parts(tie('tree')) }),
    fc.record({ kind: fc.constant('or' as const), of: parts(tie('tree')) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('tree') }),
  ),
  leaf: fc.oneof(
    fc.record({ kind: fc.constant('word' as const), text: word }),
    fc.record({ kind: fc.constant('phrase' as const), text: quotable.filter(text => text.trim() !== '') }),
    fc.record({ kind: fc.constant('match' as const), name, values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
  ),
}))
const sort = fc.array(fc.record({ name, descending: fc.boolean() }), { maxLength: 2 })

function read(text: string) {
  const { where, sort: order } = parse(text)
  return { where, sort: order }
}
function problemOf(text: string) {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof QueryError) return [error.span.position, error.span.length]
    throw error
  }
  return undefined
}

test('the printed form of a query parses to the same query', () => {
  fc.assert(
    fc.property(fc.option(tree, { nil: null }), sort, (where, order) => {
      const text = print({ where, sort: order })
      // Larger ones are refused for their size alone.
      fc.pre(text.length <= limits.queryLength && (text.match(/\S+/g) ?? []).length <= limits.queryTerms)
      expect(read(text)).toEqual({ where, sort: order })
    }),
    { numRuns: 1000, seed: 20_261_122 },
  )
})

test('every query that parses can be printed and parsed again, however many minus signs it has', () => {
  for (const text of [`${'-'.repeat(limits.queryDepth)}a`, `${'-'.repeat(limits.queryDepth - 1)}(a or b)`]) {
    const query = read(text)
    expect(read(print(query))).toEqual(query)
  }
})

test('any text is a query or is refused with a position inside it', () => {
  const pieces = fc.constantFrom(
    '(',
    ')',
    '-',
    '"',
    ' ',
    ' or ',
    ' not ',
    ':',
    ',',
    '..',
    '<',
    '>=',
    'state:',
    'sort:',
    'a',
    'é',
    '漢字',
    '\\',
    '😀',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(pieces, { maxLength: 30 }).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(text, given => {
      const problem = problemOf(given)
      if (problem === undefined) {
        const query = read(given)
        expect(read(print(query))).toEqual(query)
      } else {
        const [position = -1, length = -1] = problem
        expect(position >= 0 && length >= 0 && position + length <= given.length).toBe(true)
      }
    }),
    { numRuns: 3000, seed: 20_261_122 },
  )
})

test('words, phrases and matches are joined by "and"; "or" binds weaker, a minus stronger', () => {
  const w = (text: string): Tree => ({ kind: 'word', text })
  expect(read('a b or c d').where).toEqual({
    kind: 'or',
    of: [
      { kind: 'and', of: [w('a'), w('b')] },
      { kind: 'and', of: [w('c'), w('d')] },
    ],
  })
  expect(read('-a b').where).toEqual({ kind: 'and', of: [{ kind: 'not', of: w('a') }, w('b')] })
  expect(read('not (a OR b)').where).toEqual({ kind: 'not', of: { kind: 'or', of: [w('a'), w('b')] } })
  expect(read('"in \\"the\\" box" e-mail https://example.com/a:b').where).toEqual({
    kind: 'and',
    of: [{ kind: 'phrase', text: 'in "the" box' }, w('e-mail'), w('https://example.com/a:b')],
  })
  expect(read('State:open,"In progress" cost:>=100 due:2026-12-01..2026-12-31 updated:<7d sort:-updated,id')).toEqual({
    where: {
      kind: 'and',
      of: [
        {
          kind: 'match',
          name: 'state',
          values: [
            { kind: 'text', text: 'open' },
            { kind: 'quoted', text: 'In progress' },
          ],
        },
        { kind: 'match', name: 'cost', values: [{ kind: 'compare', operator: '>=', text: '100' }] },
        { kind: 'match', name: 'due', values: [{ kind: 'range', from: '2026-12-01', to: '2026-12-31' }] },
        { kind: 'match', name: 'updated', values: [{ kind: 'compare', operator: '<', text: '7d' }] },
      ],
    },
    sort: [
      { name: 'updated', descending: true },
      { name: 'id', descending: false },
    ],
  })
  expect(read('  ')).toEqual({ where: null, sort: [] })
  expect(() => read('-sort:id')).toThrow("'sort:' cannot be excluded")
  expect(matchesOf(parse('a (b:1 or -c:2)').where).map(match => match.name)).toEqual(['b', 'c'])
})

test.each([
  ['state:', 6, 0],
  ['a "  "', 2, 4],
  ['state:a,,b', 8, 0],
  ['a or', 2, 2],
  ['or a', 0, 2],
  ['a ()', 2, 2],
  ['(a', 0, 1],
  ['a)', 1, 1],
  ['x "y', 2, 2],
  ['a not', 2, 3],
  ['(sort:id)', 1, 7],
  ['-sort:id', 1, 7],
  ['cost:>', 5, 1],
  ['""', 0, 2],
  [`${'a '.repeat(50)}b`, 100, 1],
  ['x'.repeat(2001), 2000, 1],
  [`${'('.repeat(22)}a${')'.repeat(22)}`, 21, 1],
])('%#: %j is refused at its place', (text, position, length) => {
  expect(problemOf(text)).toEqual([position, length])
})

test('an unknown name is refused with the three most similar names', () => {
  expect(nearestNames('stat', queryNames)[0]).toBe('state')
  expect(nearestNames('asignee', queryNames)).toHaveLength(3)
  expect(nearestNames('asignee', queryNames)[0]).toBe('assignee')
  expect([editDistance('payment', 'paymnet'), editDistance('', 'abc'), editDistance('abc', ''), editDistance('ab', 'ba')]).toEqual([
    1, 3, 3, 1,
  ])
})

test('a value is quoted where it would be read as something else', () => {
  for (const text of ['open', 'In progress', 'a,b', 'me', '1..2', '<3', 'say "no"', '\\', '//']) {
    const [match] = matchesOf(parse(`state:${valueText(text)}`).where)
    expect(match?.values.map(each => (each.kind === 'text' || each.kind === 'quoted' ? each.text : each))).toEqual([text])
  }
})
