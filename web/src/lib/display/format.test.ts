import { expect, test } from 'vitest'
import {
  formatBytes,
  formatDate,
  formatDateTime,
  formatDay,
  formatNumber,
  formatRelative,
  initials,
  shortenAttachmentName,
} from './format.ts'

test('names under 15 characters are whole, others keep 10 and 4 [5.26]', () => {
  expect(shortenAttachmentName('holiday.jpg')).toBe('holiday.jpg')
  expect(shortenAttachmentName('12345678901234')).toBe('12345678901234')
  expect(shortenAttachmentName('12345678901.jpg')).toBe('1234567890….jpg')
  expect(shortenAttachmentName('trace-0412-cold-start.jpg')).toBe('trace-0412….jpg')
  expect(shortenAttachmentName('😀'.repeat(14))).toBe('😀'.repeat(14))
  expect(shortenAttachmentName('😀'.repeat(15))).toBe(`${'😀'.repeat(10)}…${'😀'.repeat(4)}`)
})

test('dates read as in the United States [9.6]', () => {
  const noon = new Date(2026, 10, 3, 9, 41).getTime() / 1000
  expect(formatDateTime(noon)).toBe('Nov 3, 2026, 9:41 AM')
  expect(formatDate(noon)).toBe('Nov 3, 2026')
  expect([0, 7, 100, 1000, 22_371, 999_999, 1_000_000, 1_234_567_890].map(formatNumber)).toEqual(
    [0, 7, 100, 1000, 22_371, 999_999, 1_000_000, 1_234_567_890].map(number => number.toLocaleString('en-US')),
  )
})

test('dates and times from now read as those of the browser', () => {
  const [dateTime, dateOnly] = [{ dateStyle: 'medium', timeStyle: 'short' } as const, { dateStyle: 'medium' } as const]
  const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
  // Every 7 hours and 13 minutes of two years: each month, midnight, noon, both changes of the clock.
  for (let at = 1_761_955_200; at < 1_825_000_000; at += 25_980) {
    // ICU puts a narrow no-break space before AM and PM, which people do not type when they search.
    expect(formatDateTime(at)).toBe(new Date(at * 1000).toLocaleString('en-US', dateTime).replaceAll('\u202f', ' '))
    expect(formatDate(at)).toBe(new Date(at * 1000).toLocaleDateString('en-US', dateOnly))
  }
  for (const [unit, seconds] of [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const)
    for (const count of [-3, -2, -1])
      expect(formatRelative(1_800_000_000 + count * seconds, 1_800_000_000_000)).toBe(relative.format(count, unit))
})

test('recent times are relative; with a slow clock an event may lie in the future', () => {
  const now = 1_800_000_000_000
  expect(formatRelative(now / 1000 - 20, now)).toBe('just now')
  expect(formatRelative(now / 1000 - 3 * 3600, now)).toBe('3 hours ago')
  expect(formatRelative(now / 1000 - 86_400, now)).toBe('yesterday')
  expect(formatRelative(now / 1000 + 3 * 3600, now)).toBe('just now')
})

test('sizes and initials', () => {
  expect(formatBytes(512)).toBe('512 B')
  expect(formatBytes(1536)).toBe('1.5 kB')
  expect(formatBytes(25 * 1024 ** 2)).toBe('25 MB')
  expect([1024 ** 2 - 1, 1024 ** 3 - 1].map(formatBytes)).toEqual(['1 MB', '1 GB'])
  expect(initials('Dana Kim')).toBe('DK')
  expect(initials('ada')).toBe('AD')
  expect(initials('a😀b')).toBe('A😀')
  expect(initials(' Sam von Ortiz ')).toBe('SO')
})

test('a day of a DATE field reads like any other date', () => {
  expect(formatDay('2026-11-03')).toBe('Nov 3, 2026')
  expect(formatDay('0999-01-31')).toBe('Jan 31, 999')
  expect(formatDay('soon')).toBe('soon')
})
