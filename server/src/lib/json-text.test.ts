import { expect, test } from 'vitest'
import { JsonText } from './json-text.ts'

test('answers stay what they were while others are written beside them', () => {
  const texts = Array.from({ length: 60 }, (_, index) => '€é"x'.repeat(index * 400) + index)
  const answers = texts.map(text => new JsonText(text).encode())
  expect(answers.map(answer => answer.toString())).toEqual(texts)
})
