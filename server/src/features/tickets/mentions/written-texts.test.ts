import { expect, test } from 'vitest'
import { mentionedLogins } from './written-texts.ts'

test.each<[text: string, logins: string[]]>([
  ['@noor, please look', ['noor']],
  ['Ask @Noor.K. Or @ann-lee!', ['Noor.K', 'ann-lee']],
  ['(@noor) and **@bob**, _@cid_', ['noor', 'bob', 'cid']],
  ['@noor and again @NOOR', ['noor']],
  ['mail noor@example.com or see x/@noor', []],
  ['`@noor` and [text @bob](https://example.com)', []],
  ['```\n@noor\n```\n\n    @bob\n', []],
  ['> quoted @noor\n\n- [ ] @bob\n\n| a |\n| - |\n| @cid |', ['noor', 'bob', 'cid']],
  ['@ noor, @, @.', []],
  [`${'> '.repeat(60)}@deep, @noor`, ['deep', 'noor']],
  [`${'@a '.repeat(30_000)}@b`, ['a', 'b']],
])('%#: the logins of a text', (text, logins) => {
  expect(mentionedLogins(text)).toEqual(logins)
})

test('internationalized host names take no more work than others', () => {
  const work = (label: string) => {
    const before = process.cpuUsage()
    expect(mentionedLogins(`@noor ${`${label}www.`.repeat(4000)}`)).toEqual(['noor'])
    return process.cpuUsage(before).user
  }
  work('xx--')
  // About the same; with a pattern that reads such names in two ways, 60 times as much. The clock has ticks of some milliseconds.
  expect(work('xn--')).toBeLessThan((work('xx--') + 10_000) * 10)
})
