import { propertyType, propertyTypes, type Renderer } from '@tessera/contract/projects/project-config'
import { expect, test } from 'vitest'
import { columnOrder } from './columns/rules.ts'
import { idPattern, likeContaining, problemOfValue, rank, readCursor, sortKey, storedValue, writeCursor } from './rules.ts'

function fits(type: Renderer, value: string, options: string[] = []) {
  const typeId = propertyType[type]
  return problemOfValue({ typeId, options: options.map(option => ({ value: option })) }, value, id => id === 7) === undefined
}

test('every field type accepts an empty value', () => {
  for (const { Description } of propertyTypes) expect(fits(Description, ''), Description).toBe(true)
})

test.each([
  ['TEXT', ['x', ' ', 'a\nb'], []],
  ['TEXTMULTILINE', ['x', 'a\nb'], []],
  ['SELECT', ['a'], ['c', 'A', ' a', 'a,b']],
  [
    'NUMBER',
    ['0', '-1', '12.50', '.5', '1e3', '-2E-3', '007'],
    ['1,5', '1.', '+1', ' 1', '0x10', 'NaN', 'Infinity', '1e999', '--1', '1 2'],
  ],
  [
    'DATE',
    ['2026-11-21', '2028-02-29', '0001-01-01', '9999-12-31'],
    ['2027-02-29', '2026-13-01', '2026-00-10', '0000-01-01', '2026-1-1', '21.11.2026', '2026-11-21T00:00:00Z', '2026-11-31'],
  ],
  ['CHECKBOX', ['1'], ['0', 'true', 'on', '01']],
  ['MULTISELECT', ['[]', '["a"]', '["b","a"]'], ['a', '["c"]', '["a","a"]', '{"a":1}', '"a"', '[1]', '[null]', '[["a"]]', '["a"']],
  ['USER', ['7'], ['8', '07', '-7', '7.0', 'seven', '99999999999999999999']],
  [
    'URL',
    ['https://example.com/a?b#c', 'http://x', 'HTTPS://EXAMPLE.COM', 'mailto:a@example.com'],
    ['javascript:alert(1)', 'example.com', 'ftp://x', 'https://', 'data:text/html,x', ' https://x', 'https://a b', 'http:x'],
  ],
] as const)('%s', (type, good, bad) => {
  for (const value of good) expect(fits(type, value, ['a', 'b']), value).toBe(true)
  for (const value of bad) expect(fits(type, value, ['a', 'b']), value).toBe(false)
})

test('an empty MULTISELECT is stored as no value, which searches find as empty', () => {
  for (const given of ['[]', ' [ ] ', '']) expect(storedValue(propertyType.MULTISELECT, given)).toBe('')
  expect(storedValue(propertyType.MULTISELECT, '["a"]')).toBe('["a"]')
  expect(storedValue(propertyType.TEXT, '[]')).toBe('[]')
})

test('the ID filter matches what a search in the displayed id would', () => {
  const ids = [1, 7, 10, 12, 70, 107, 123, 1012, 4711, 77123]
  const needles = [
    '',
    'p',
    'P1',
    'p1_x',
    'X',
    '_',
    'p1_x-',
    'x-',
    '-',
    '-1',
    'x-1',
    'X-12',
    'P1_X-4711',
    'p1_x-0',
    '1',
    '12',
    '7',
    '0',
    '99',
    '1-',
    'y-1',
    'p1_x-1-',
    '-x',
    '1_',
    '%',
    '_x',
    '12x',
    ' 1',
    'K',
  ]
  for (const needle of needles) {
    const pattern = idPattern('P1_x', needle)
    const found = ids.filter(id =>
      typeof pattern === 'string' ? pattern === 'every' : new RegExp(`^${pattern.like.replaceAll('%', '.*')}$`).test(String(id)),
    )
    expect(found, needle).toEqual(ids.filter(id => `p1_x-${id}`.includes(needle.toLowerCase())))
  }
})

test('wildcards in a LIKE pattern are escaped', () => {
  expect(likeContaining('50%_a\\b')).toBe('%50\\%\\_a\\\\b%')
})

const names = {
  templates: new Map([
    [1, 'task'],
    [2, 'Bug'],
  ]),
  states: new Map([
    [11, { position: 4, phase: 1 as const }],
    [12, { position: 2, phase: 2 as const }],
    [13, { position: 0, phase: 2 as const }],
  ]),
}
const groups = [1, 2].flatMap(templateId => [11, 12, 13].map(stateId => ({ templateId, stateId })))

test('a list is ordered by each column once, and by nothing after ID', () => {
  expect(columnOrder()).toEqual({ columns: [], id: 'desc' })
  expect(
    columnOrder([
      { Column: 'State', Direction: 'desc' },
      { Column: 'State', Direction: 'asc' },
      { Column: 'ID', Direction: 'asc' },
      { Column: 'Type', Direction: 'asc' },
    ]),
  ).toEqual({ columns: [{ Column: 'State', Direction: 'desc' }], id: 'asc' })
})

test('groups are ranked by type ignoring case and by the order of states; equal ones share a rank', () => {
  const byType = columnOrder([{ Column: 'Type', Direction: 'asc' }])
  expect(rank(byType, names, groups).groups.map(group => [group.templateId, group.rank])).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
    [1, 2],
    [1, 2],
    [1, 2],
  ])
  const byBoth = columnOrder([
    { Column: 'Phase', Direction: 'desc' },
    { Column: 'State', Direction: 'asc' },
  ])
  const ranked = rank(byBoth, names, groups)
  expect(ranked.groups.map(group => [group.stateId, group.rank])).toEqual([
    [13, 1],
    [13, 1],
    [12, 2],
    [12, 2],
    [11, 3],
    [11, 3],
  ])
  expect(ranked.from).toEqual({ rank: 0, id: 0 })
})

test('a cursor continues where it was, also when its state has no tickets left', () => {
  const order = columnOrder([{ Column: 'State', Direction: 'asc' }])
  const cursor = writeCursor(order, { key: sortKey(order, names, 1, 12), id: 42 })
  const after = readCursor(order, cursor)
  expect(after).toEqual({ key: [2], id: 42 })
  expect(rank(order, names, groups, after).from).toEqual({ rank: 2, id: 42 })
  const left = groups.filter(({ stateId }) => stateId !== 12)
  // Nothing of the first state again, all of the last.
  expect(rank(order, names, left, after).from).toEqual({ rank: 1, id: 0 })
  const descending = columnOrder([
    { Column: 'State', Direction: 'desc' },
    { Column: 'ID', Direction: 'asc' },
  ])
  expect(rank(descending, names, left, after).from).toEqual({ rank: 1, id: Number.MAX_SAFE_INTEGER })
})

test('a cursor of another order, or a malformed one, is refused', () => {
  const order = columnOrder([{ Column: 'State', Direction: 'asc' }])
  const wrong = [
    '',
    'x',
    writeCursor(columnOrder(), { key: [], id: 1 }),
    writeCursor(columnOrder([{ Column: 'State', Direction: 'desc' }]), { key: [1], id: 1 }),
    ...[
      ['State.asc,ID.desc'],
      ['State.asc,ID.desc', ['a'], 1],
      ['State.asc,ID.desc', [1], 0],
      ['State.asc,ID.desc', [1], 1, 2],
      null,
      {},
    ].map(value => Buffer.from(JSON.stringify(value)).toString('base64url')),
  ]
  for (const cursor of wrong) expect(() => readCursor(order, cursor), cursor).toThrow('Cursor is not a cursor of this list')
})
