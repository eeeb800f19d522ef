import { propertyType, type Renderer } from '@tessera/contract/projects/project-config'
import { expect, test } from 'vitest'
import { removedOptions, requireOptions, typeChange } from './rules.ts'

const option = (value: string, label = value) => ({ value, label })

test('an option is removed when its value is left out, whatever changes in labels and order', () => {
  expect(removedOptions([option('a'), option('b')], [option('b', 'B'), option('a', 'A')])).toEqual([])
  expect(removedOptions([option('a'), option('b', 'Bee'), option('c')], [option('c')])).toEqual([option('a'), option('b', 'Bee')])
  expect(removedOptions([], [option('a')])).toEqual([])
})

test('options belong to SELECT and MULTISELECT, each value once', () => {
  for (const type of [2, 7]) expect(() => requireOptions(type, [option('a'), option('b', 'a')])).not.toThrow()
  for (const type of [1, 3, 4, 5, 6, 8, 9]) {
    expect(() => requireOptions(type, [option('a')])).toThrow('FieldProps')
    expect(() => requireOptions(type, [])).not.toThrow()
    expect(() => requireOptions(type, undefined)).not.toThrow()
  }
  expect(() => requireOptions(2, [option('a'), option('a', 'other')])).toThrow("FieldProps.1.value repeats 'a'")
  expect(() => requireOptions(10, undefined)).toThrow('Not found')
})

test('the value of a new option is one line; an existing one keeps its own', () => {
  const option = { value: 'two\nlines', label: 'Two lines' }
  expect(() => requireOptions(2, [option])).toThrow('FieldProps.0.value must be on one line')
  expect(() => requireOptions(2, [{ ...option, value: 'a' }, option], [{ ...option, value: 'b' }])).toThrow('FieldProps.1.value')
  expect(() => requireOptions(2, [option], [option])).not.toThrow()
})

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
