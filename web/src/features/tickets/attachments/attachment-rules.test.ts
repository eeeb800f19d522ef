import { expect, test } from 'vitest'
import { shortenAttachmentName } from '../../../lib/display/format.ts'
import { problemOfFile } from './attachment-rules.ts'

test('files of another type, too large or empty are refused in words', () => {
  const file = { name: 'a.jpg', type: 'image/jpeg', size: 10 }
  expect(problemOfFile(file, ['image/jpeg'], 100)).toBeUndefined()
  expect(problemOfFile({ ...file, type: '' }, ['image/jpeg'], 100)).toBe('a.jpg is not of an accepted type (image/jpeg).')
  expect(problemOfFile({ ...file, size: 101 }, ['image/jpeg'], 100)).toBe('a.jpg is larger than 100 B.')
  expect(problemOfFile({ ...file, size: 0 }, ['image/jpeg'], 100)).toBe('a.jpg is empty.')
})

test('names under 15 characters are whole, longer ones keep 10 and 4 around an ellipsis [5.26]', () => {
  expect(shortenAttachmentName('fourteen-c.jpg')).toBe('fourteen-c.jpg')
  expect(shortenAttachmentName('fifteen-ch1.jpg')).toBe('fifteen-ch….jpg')
  expect(shortenAttachmentName('trace-0412-before.jpg')).toBe('trace-0412….jpg')
})
