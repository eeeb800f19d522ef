import { limits } from '@tessera/contract/limits'
import { expect, test } from 'vitest'
import { cleanFileName, fileDisposition, fileNameOfForm } from './file-name.ts'

test('a file name keeps its inner dots, loses those at its ends, and may have a million of them', () => {
  expect(cleanFileName('..\\folder/ . a..b .jpg. .')).toBe('a..b .jpg')
  // With time that grows with the square, the test would reach its time limit.
  expect(cleanFileName(`a${'.'.repeat(1_000_000)}b`)).toBe(`a${'.'.repeat(limits.attachmentName - 3)}.b`)
})

test('a file name keeps the joiners that scripts and emoji need, and loses what would deceive', () => {
  expect(cleanFileName('می\u200Cخواهم 👩\u200D👧 \u202Egpj.exe\u200B.jpg')).toBe('می\u200Cخواهم 👩\u200D👧 gpj.exe.jpg')
  expect(cleanFileName('e\u0301.jpg')).toBe('\u00e9.jpg')
  expect(['\u200D.htaccess', 'a.jpg\u200D', '\u200C\u200D'].map(cleanFileName)).toEqual(['htaccess', 'a.jpg', ''])
})

test('quotation marks and line breaks that a browser escaped in a form are read back, other percent signs stay', () => {
  expect(cleanFileName(fileNameOfForm('the %22final%22%0D%0A 100%25.jpg'))).toBe('the "final" 100%25.jpg')
})

test('the ASCII file name contains no path either, whatever characters it came from', () => {
  expect(fileDisposition('．．／a.jpg', 'inline')).toBe(`inline; filename=".._a.jpg"; filename*=UTF-8''%EF%BC%8E%EF%BC%8E%EF%BC%8Fa.jpg`)
})
