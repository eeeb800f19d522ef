import { expect, test } from 'vitest'
import { idPattern, likeContaining } from './ticket-keys.ts'

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
