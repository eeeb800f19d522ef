import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { calendarText, dateValue, momentValue, textValue } from './icalendar.ts'

/** What an independent parser reads from the text. */
function read(text: string) {
  return new ICAL.Component(ICAL.parse(text))
}
function written(summary: string) {
  return calendarText([['NAME', textValue('Due')]], [[['SUMMARY', textValue(summary)]]])
}
function summaryOf(text: string) {
  return read(text).getFirstSubcomponent('vevent')?.getFirstPropertyValue('summary')
}

test.each([
  'Plain',
  'a, b; c \\ d \\n "e": f=g',
  'two\nlines',
  '発注書の確認、部品；納期',
  'مراجعة العقد، النسخة الثانية',
  'Prüfung des Straßenbelags ＆ Ærø',
  '👩‍👩‍👧‍👦 family, 🏳️‍🌈 flag',
  `${'漢字'.repeat(249)},;`,
  'é'.repeat(500),
  '🙂'.repeat(250),
  `${'x'.repeat(66)}\\`,
])('an independent parser reads the title %j as it was written', title => {
  const text = written(title)
  expect(summaryOf(text)).toBe(title)
  expect(text).toMatch(/^(?:[^\r\n]+\r\n)+$/)
  for (const line of text.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    // No half of a character.
    expect(line.isWellFormed()).toBe(true)
  }
})

test('any text of one line comes back as it was, without control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
      const clean = text.replaceAll(/\p{Cc}|[\u2028\u2029]/gu, '')
      expect(summaryOf(written(clean))).toBe(clean)
    }),
    { numRuns: 300 },
  )
  expect(summaryOf(written('bell\u0007, tab\t, line\u2028end\r\nnext\rlast'))).toBe('bell, tab\t, line\nend\nnext\nlast')
})

test('days and moments are written in their types', () => {
  const text = calendarText(
    [],
    [
      [
        ['DTSTART;VALUE=DATE', dateValue('2026-12-01')],
        ['DTSTAMP', momentValue(new Date('2026-11-30T08:09:10.111Z'))],
      ],
    ],
  )
  const event = read(text).getFirstSubcomponent('vevent')
  expect(event?.getFirstPropertyValue('dtstart')).toMatchObject({ isDate: true, year: 2026, month: 12, day: 1 })
  expect(event?.getFirstPropertyValue('dtstamp')?.toString()).toBe('2026-11-30T08:09:10Z')
})
