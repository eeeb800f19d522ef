import { expect, test } from 'vitest'
import { removedOptions, requireOptions } from './field-options.ts'

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
