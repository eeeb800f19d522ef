import { expect, test } from 'vitest'
import { editable, fieldProps, newOption, optionProblem } from './field-options.ts'

test('a stored value outlives its label; a new one is made of the label and unlike every other', () => {
  const [high, low] = editable([
    { value: 'High', label: 'High' },
    { value: 'l', label: 'Low' },
  ])
  if (!high || !low) throw new Error('two')
  const options = [{ ...high, label: 'Highest ' }, low, newOption('High'), newOption('  '), newOption(' Middle ')]
  expect(fieldProps(options)).toEqual([
    { value: 'High', label: 'Highest' },
    { value: 'l', label: 'Low' },
    { value: 'High 2', label: 'High' },
    { value: 'Middle', label: 'Middle' },
  ])
  expect(optionProblem(options)).toBeUndefined()
})

test('says which option is wrong', () => {
  const [stored] = editable([{ value: 'a', label: 'A' }])
  if (!stored) throw new Error('one')
  expect(optionProblem([{ ...stored, label: ' ' }])).toEqual({ id: stored.id, message: 'Enter a name, or remove the option' })
  const twin = newOption(' A ')
  expect(optionProblem([stored, twin])).toEqual({ id: twin.id, message: 'There is already an option with this name' })
})

test('an option is as long as the server counts it', () => {
  expect(optionProblem([newOption('😀'.repeat(192))])).toBeUndefined()
  expect(optionProblem([newOption('😀'.repeat(193))])?.message).toBe('At most 192 characters, 193 now')
})
