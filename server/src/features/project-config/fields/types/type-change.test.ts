import { propertyType, type Renderer } from '@tessera/contract/projects/project-config'
import { expect, test } from 'vitest'
import { typeChange } from './type-change.ts'

const idOf = (name: Renderer) => propertyType[name]
const change = (from: Renderer, to: Renderer, values: string[], options: { value: string; label: string }[] = []) =>
  typeChange(
    { typeId: idOf(from), options },
    idOf(to),
    values.map(value => ({ value, tickets: 1 })),
  )
const unfit = (...of: Parameters<typeof change>) => change(...of).unfit.map(({ value }) => value)

test('a TEXT field with few values becomes a SELECT of them', () => {
  expect(change('TEXT', 'SELECT', ['High', 'Low'])).toEqual({
    options: [
      { value: 'High', label: 'High' },
      { value: 'Low', label: 'Low' },
    ],
    unfit: [],
  })
  expect(unfit('TEXTMULTILINE', 'SELECT', ['High', 'two\nlines', ' blank', 'x'.repeat(201)])).toEqual([
    'two\nlines',
    ' blank',
    'x'.repeat(201),
  ])
  // As options these would be refused when a client sends them back.
  for (const value of ['\u200b', '\u2060\u3164', '😀'.repeat(201)]) {
    expect(unfit('TEXT', 'SELECT', [value])).toEqual([value])
    expect(change('TEXT', 'SELECT', [value]).options).toEqual([])
  }
  expect(unfit('TEXT', 'SELECT', ['😀'.repeat(200), 'a\u200b'])).toEqual([])
  const many = Array.from({ length: 101 }, (_, index) => String(index))
  expect(unfit('TEXT', 'SELECT', many)).toEqual(many)
  expect(unfit('TEXT', 'SELECT', many.slice(1))).toEqual([])
})

test('a value fits the new type if it is valid and means the same there', () => {
  expect(unfit('TEXT', 'NUMBER', ['1', '2.5', 'three'])).toEqual(['three'])
  expect(unfit('TEXT', 'DATE', ['2026-02-28', '2026-02-30'])).toEqual(['2026-02-30'])
  expect(unfit('TEXT', 'URL', ['https://example.com', 'javascript:1'])).toEqual(['javascript:1'])
  expect(unfit('TEXT', 'USER', ['7'])).toEqual(['7'])
  expect(unfit('TEXTMULTILINE', 'TEXT', ['one', 'one\ntwo'])).toEqual(['one\ntwo'])
  for (const from of ['TEXT', 'NUMBER', 'DATE', 'URL'] as const) expect(unfit(from, 'TEXTMULTILINE', ['7'])).toEqual([])
  const options = [
    { value: 's', label: 'Small' },
    { value: 'Large', label: 'Large' },
  ]
  expect(unfit('SELECT', 'TEXT', ['s', 'Large'], options)).toEqual(['s'])
  expect(unfit('SELECT', 'MULTISELECT', ['s'], options)).toEqual(['s'])
  expect(change('SELECT', 'MULTISELECT', [], options)).toEqual({ options, unfit: [] })
  expect(change('SELECT', 'NUMBER', [], options).options).toEqual([])
  for (const [from, value] of [
    ['USER', '7'],
    ['CHECKBOX', '1'],
    ['MULTISELECT', '["s"]'],
  ] as const)
    expect(unfit(from, 'TEXT', [value], options)).toEqual([value])
})
