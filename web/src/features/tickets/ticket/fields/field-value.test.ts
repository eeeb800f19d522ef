import { isAddress } from '@tessera/contract/projects/field-values'
import { expect, test } from 'vitest'
import { problemOfValue, selection } from './field-value.ts'

test('only http, https and mailto addresses become links', () => {
  expect(isAddress('https://example.com/a?b#c')).toBe(true)
  expect(isAddress('mailto:a@example.com')).toBe(true)
  for (const bad of [
    'javascript:alert(1)',
    ' https://example.com',
    'data:text/html,x',
    'JAVASCRIPT:x',
    'https://',
    '//example.com',
    'https://a b',
  ])
    expect(isAddress(bad)).toBe(false)
})

test('a value that its field cannot hold is explained', () => {
  expect(problemOfValue('NUMBER', '12,5')).toBe('Enter a number, such as 12.5')
  for (const wrong of ['1,5', '0x10', '1e999', ' ']) expect(problemOfValue('NUMBER', wrong), wrong).toContain('such as 12.5')
  expect(problemOfValue('NUMBER', '-1.5e3')).toBeUndefined()
  expect(problemOfValue('NUMBER', '')).toBeUndefined()
  expect(problemOfValue('DATE', '2026-02-28')).toBeUndefined()
  for (const wrong of ['2026-02-30', '2026-2-3', '12026-01-01']) expect(problemOfValue('DATE', wrong), wrong).toContain('that exists')
  expect(problemOfValue('URL', 'example.com')).toContain('https://')
  expect(problemOfValue('TEXTMULTILINE', 'ü'.repeat(131_072))).toBeUndefined()
  expect(problemOfValue('TEXTMULTILINE', 'ü'.repeat(131_073))).toContain('too long')
})

test('a selection is a list of texts, whatever is stored', () => {
  expect(selection('["a","b"]')).toEqual(['a', 'b'])
  for (const odd of ['', 'a', '{}', '[1,null]', '[']) expect(selection(odd)).toEqual([])
})
