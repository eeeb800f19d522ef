import { propertyType, propertyTypes, type Renderer } from '@tessera/contract/projects/project-config'
import { expect, test } from 'vitest'
import { problemOfValue, storedValue } from './field-values.ts'

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
