import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdownHtml } from '../../mail/markdown.ts'
import { jiraToMarkdown } from './jira-markup.ts'

test.each<[jira: string, expected: string]>([
  ['h2. Steps', '## Steps'],
  ['*bold* and _it_, 2*3*4, a * b', '**bold** and _it_, 2*3*4, a * b'],
  [
    'see [the page|https://example.com/a_(b)] or [https://example.com]',
    'see [the page](https://example.com/a_%28b%29) or <https://example.com>',
  ],
  ['[~ann] added [^log.txt]; a[0] and [none] stay', '@ann added log.txt; a[0] and [none] stay'],
  ['!shot one.png|thumbnail! and wow!', '![shot one.png](shot%20one.png) and wow!'],
  ['{{a*b*c}} is code', '`a*b*c` is code'],
  ['a -gone- b, well-known -5', 'a ~~gone~~ b, well-known -5'],
  ['{code:title=Foo.js|js}\nvar a = b[0] + *c*\n{code}', 'Foo.js\n\n```js\nvar a = b[0] + *c*\n```'],
  ['before{noformat}\n```\n  x_y_z\n{noformat}after', 'before\n\n````\n```\n  x_y_z\n````\n\nafter'],
  ['text\n* one\n** two\n# three', 'text\n\n- one\n  - two\n1. three'],
  ['||a||b||\n|1|[x|http://y.z]|\nend', '\n| a | b |\n| --- | --- |\n| 1 | [x](http://y.z) |\n\nend'],
  ['|a|b|\n|1|2|3|', '\n|  |  |\n| --- | --- |\n| a | b |\n| 1 | 2 3 |'],
  ['{code:js title="a.js"}x{code}', '"a.js"\n\n```js\nx\n```'],
  ['{quote}\nsaid\nso\n{quote}', '> said\n> so'],
  ['bq. said', '> said'],
  ['{color:red}red{color} text', 'red text'],
  ['title\n-----\n====', 'title\n\n---\n\\===='],
  ['&lt;b&gt; & <b>', '\\&lt;b\\&gt; & <b>'],
  ['!https://a.example/my%20 map%C3%A3.png|thumbnail!', '![my%20 map%C3%A3.png](https://a.example/my%20%20map%C3%A3.png)'],
  ['{code} never closed', '{code} never closed'],
])('%j', (jira, expected) => {
  expect(jiraToMarkdown(jira)).toBe(expected)
})

/** What a reader sees, and where links lead. */
function visible(text: string) {
  const html = markdownHtml(text, '') ?? ''
  const addresses = [...html.matchAll(/(?:href|src|alt|class)="([^"]*)"/g)].map(([, value = '']) => decodeURIComponent(value))
  return `${html.replace(/<[^>]*>/g, ' ')} ${addresses.join(' ')}`
}

// Takes about a second. Where the time grows with the square of the length it takes minutes, and the test reaches its time limit.
test.each(['[', '{{a', '{color:', '{code:', '{code:js}', '{noformat}a{code}', '{quote:a}'])(
  'a cell of 400,000 times %s is converted within the time limit',
  piece => {
    expect(jiraToMarkdown(`|${piece.repeat(400_000)}|`)).not.toBe('')
  },
)

test('code may have any number of backticks', () => {
  const ticks = '``` '.repeat(200_000).trim()
  const fence = '`'.repeat(4)
  expect(jiraToMarkdown(`{code}${ticks}{code}`)).toBe(`${fence}\n${ticks}\n${fence}`)
  expect(jiraToMarkdown(`{{${ticks}}}`)).toBe(`${fence} ${ticks} ${fence}`)
})

test('converting Jira’s markup loses no word', () => {
  const marks = fc.constantFrom(
    ...[
      '*',
      '_',
      '-',
      '+',
      '{{',
      '}}',
      '{code}',
      '{code:js}',
      '{noformat}',
      '{quote}',
      '{panel}',
      '[',
      '|',
      ']',
      '||',
      '!',
      '\n',
      '\n\n',
      ' ',
    ],
    ...[
      'h1. ',
      '# ',
      '** ',
      'bq. ',
      '----',
      '\\\\',
      '<',
      '>',
      '`',
      '    ',
      '\t',
      '[~',
      '[^',
      '{color:red}',
      '{color}',
      '~',
      '^',
      '&amp;',
      ']: ',
    ],
  )
  const word = fc.constantFrom('wordone', 'wordtwo', 'wordthree', 'ünï', '漢字', 'https://example.com/wordfour')
  fc.assert(
    fc.property(fc.array(fc.oneof(marks, word, fc.constant(' ')), { maxLength: 40 }), parts => {
      const text = parts.join('')
      const seen = visible(jiraToMarkdown(text))
      for (const expected of text.match(/word(?:one|two|three|four)|ünï|漢字/g) ?? []) expect(seen).toContain(expected)
    }),
    { numRuns: 3000, seed: Number(process.env.SEED ?? 20_261_122) },
  )
})
