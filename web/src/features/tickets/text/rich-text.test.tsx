import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { parse, tickTask } from '@tessera/contract/text/markdown'
// @ts-expect-error it has no types
import spec from 'commonmark-spec'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Ticket } from '../ticket.ts'
import { PlainText } from './plain-text.tsx'
import { RenderedText } from './rendered-text.tsx'

const ticket = {
  idTicket: 5,
  Attachments: [{ id: 7, name: 'screen.png', Width: 800, Height: 600 }],
} as unknown as Ticket

const client = new QueryClient()
function render(text: string, onTick?: (text: string) => void) {
  const box = document.createElement('div')
  box.innerHTML = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <RenderedText text={text} ticket={ticket} onTick={onTick} />
    </QueryClientProvider>,
  )
  return box
}
const html = (text: string) => render(text).querySelector('div')?.innerHTML

const elements = 'div p br h2 h3 h4 h5 h6 blockquote ul ol li hr em strong s code pre a button img input section table thead tbody tr th td'
const attributes =
  'class start type checked disabled tabindex aria-label data-align data-name href target rel title src alt loading width height'

const known = { elements: new Set(elements.split(' ')), attributes: new Set(attributes.split(' ')) }
const leadsSomewhere = /^(https?:\/\/|mailto:|\/api\/1\/private\/attachment-download\.php\?id=7$)/i

/** What in it could run, load or look like a part of the page. */
function dangers(box: HTMLElement) {
  return [...box.querySelectorAll('*')].flatMap(element => [
    ...(known.elements.has(element.localName) ? [] : [element.localName]),
    ...[...element.attributes]
      .filter(
        ({ name, value }) =>
          !known.attributes.has(name) ||
          (name === 'href' && !leadsSomewhere.test(value)) ||
          (name === 'src' && value !== '/api/1/private/attachment-download.php?id=7&inline=1'),
      )
      .map(({ name, value }) => `${name}=${value}`),
    ...(element.getAttribute('href')?.startsWith('http') && !element.getAttribute('rel')?.includes('noopener') ? ['no rel'] : []),
  ])
}

function depthOf(element: Element): number {
  let depth = 0
  for (let level = [element]; level.length > 0; level = level.flatMap(({ children }) => [...children])) depth++
  return depth
}

test('every example of CommonMark is drawn, and none brings a script, a style or an event', () => {
  const examples = (spec as { tests: { markdown: string; number: number }[] }).tests
  expect(examples.length).toBeGreaterThan(600)
  expect(examples.flatMap(({ markdown }) => dangers(render(markdown.replaceAll('→', '\t'))))).toEqual([])
})

test('CommonMark and what GitHub adds: tables, tasks, struck words, bare addresses; a line break stays one', () => {
  expect(html('# Big\n\n**bold** *it* ~~old~~ `x<y`\nnext')).toBe(
    '<h2>Big</h2><p><strong>bold</strong> <em>it</em> <s>old</s> <code>x&lt;y</code><br>next</p>',
  )
  const table = render('| a | b |\n|---|--:|\n| 1 | 2 |').querySelector('table')
  expect(table?.textContent).toBe('ab12')
  expect(table?.querySelectorAll('[data-align=right]')).toHaveLength(2)
  const boxes = render('- [ ] one\n- [x] two\n- [y] three').querySelectorAll<HTMLInputElement>('input[type=checkbox]')
  expect([...boxes].map(box => [box.ariaLabel ?? box.getAttribute('aria-label'), box.checked, box.disabled])).toEqual([
    ['one', false, true],
    ['two', true, true],
  ])
  const links = render('See https://a.example/x?y=1, www.b.example and me@c.example; not example.com, README.md or ftp://d.example')
  expect([...links.querySelectorAll('a')].map(link => link.getAttribute('href'))).toEqual([
    'https://a.example/x?y=1',
    'http://www.b.example',
    'mailto:me@c.example',
  ])
  expect(html('3. three\n4. four')).toBe('<ol start="3"><li>three</li><li>four</li></ol>')
})

test('a box that is ticked changes its own character of the text and no other', () => {
  const tick = (text: string, index: number) => {
    const tasks = (parse(text) ?? []).flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'task')
    const task = tasks[index]
    if (!task) throw new Error('no such box')
    return tickTask(text, task)
  }
  const text = 'Say [ ] first\n\n- [ ] one\n  - [x] two  \n> 1. [ ] three [ ] \n\n* - [X] four\n- [ ] one'
  expect(tick(text, 0)).toBe(text.replace('- [ ] one\n  ', '- [x] one\n  '))
  expect(tick(text, 1)).toBe(text.replace('[x] two', '[ ] two'))
  expect(tick(text, 2)).toBe(text.replace('[ ] three', '[x] three'))
  expect(tick(text, 3)).toBe(text.replace('[X] four', '[ ] four'))
  expect(tick(text, 4)).toBe(`${text.slice(0, -'[ ] one'.length)}[x] one`)
})

test('pictures of the ticket are drawn with their size, those from elsewhere are links, those of other tickets text', () => {
  const picture = render('![A screen](attachment:7)').querySelector('img')
  expect(picture?.getAttribute('width')).toBe('800')
  expect(picture?.getAttribute('height')).toBe('600')
  expect(picture?.getAttribute('alt')).toBe('A screen')
  expect(html('![x](attachment:8)')).toBe('<p>![x](attachment:8)</p>')
  expect(render('![far](https://a.example/p.png)').querySelector('a')?.textContent).toBe('far')
  expect(render('[the file](attachment:7)').querySelector('a')?.getAttribute('href')).toBe('/api/1/private/attachment-download.php?id=7')
  expect(html('[a file](attachment:8)')).toBe('<p>a file</p>')
})

test('a text without marks looks the same before the renderer is there', () => {
  for (const text of [
    'One line.',
    'Two\nlines, 3.5 percent (really).',
    'Para one.\n\n  \nPara "two"; it\'s fine?\nMore',
    '  indented a little',
  ]) {
    const plain = document.createElement('div')
    plain.innerHTML = renderToStaticMarkup(<PlainText text={text} />)
    const paragraphs = (box: HTMLElement) =>
      [...box.querySelectorAll('p')].map(p => p.innerHTML.replaceAll('<br>', '\n').replace(/^ +/, ''))
    expect(paragraphs(plain)).toEqual(paragraphs(render(text)))
  }
})

const addresses = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;&#x61;vascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  '%6Aavascript:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+',
  'data:image/png;base64,AAAA',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'ftp://a.example',
  '//a.example/x',
  '/logout',
  '#top',
  'attachment:8',
  'attachment:7x',
  '\u0001javascript:alert(1)',
  '\u200bjavascript:alert(1)',
  'https:javascript:alert(1)',
]
const inAddress = [
  (address: string) => `[x](${address})`,
  (address: string) => `[x](<${address}> "t")`,
  (address: string) => `![x](${address})`,
  (address: string) => `<${address}>`,
  (address: string) => `[x]\n\n[x]: ${address}`,
]
const markup = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{display:none}</style>',
  '<base href=//evil.example>',
  '<form action=//evil.example><input name=pass>',
  '<meta http-equiv=refresh content=0>',
  '<details open ontoggle=alert(1)>',
  '<math><mtext><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?php echo 1 ?>',
  '</div></section><h1>Other page</h1>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;',
  '&NotEqualTilde;&#0;&#xFFFFFFFF;&zwj;',
  '```js" onmouseover="alert(1)\nx\n```',
  '```<script>\nx\n```',
  '`<img src=x onerror=alert(1)>`',
  '[a [b](https://b.example) c](https://c.example)',
  '[![x](javascript:alert(1))](javascript:alert(2))',
  '[x](https://a.example "onclick=alert(1)")',
  '[x](https://a.example" onclick="alert\\(1\\))',
  '![" onerror="alert(1)](attachment:7)',
  '[\u202egpj.exe](https://a.example)',
  '\u202e\u2066\u2067\u2068\u2069\u200f right to left',
  'https://a.example/\u202egnp.js',
  '@<script> @javascript:alert(1) OPS-1<script>',
  '| <script> | onload= |\n|---|---|\n| [x](javascript:1) | <b> |',
  '- [ ] <script>alert(1)</script>',
  '- [x](javascript:alert(1))',
  '# <script>alert(1)</script>',
  '> <script>\n> alert(1)\n> </script>',
  '\u0000<script\u0000>',
  'e\u0301'.repeat(2000),
  '\ud800 lone \udc00',
  '$&$1$`',
]
const floods = [
  '[',
  ']',
  '![',
  '[a](',
  '[[a]()',
  '*',
  '*a ',
  '**a',
  '_a_',
  '~~a',
  '`',
  '``` ',
  '`a``',
  '<',
  '<a ',
  '<!--',
  '&',
  '&amp;',
  '\\',
  '#',
  '# a\n',
  '>',
  '> ',
  '- ',
  '1. ',
  '+ a\n  ',
  '|',
  '|a',
  '|a|\n|-|\n',
  ':',
  'http://',
  'http://a.b/ ',
  'www.',
  'a@',
  'a@b.c ',
  '@a ',
  'OPS-1 ',
  '\n',
  'a\n',
  'a\n\n',
  '---\n',
  '===\n',
  '\t',
  '    a\n',
  '[a]: b\n',
  '[a][b]',
  '- [ ] a\n',
  '\u202e',
  '\u0000',
  '(',
]
const nests = [
  '>'.repeat(65_536),
  '> '.repeat(32_768),
  Array.from({ length: 300 }, (_, depth) => '>'.repeat(depth)).join(' a\n'),
  Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  `${'*a '.repeat(5000)}${'b* '.repeat(5000)}`,
  `${'**a '.repeat(2900)}${'b** '.repeat(2900)}`,
  `${'['.repeat(5000)}a${'](b)'.repeat(5000)}`,
  `${'> - '.repeat(8000)}a`,
  `|${'a|'.repeat(3000)}\n|${'-|'.repeat(3000)}\n|${'x|'.repeat(3000)}`,
  Array.from({ length: 340 }, (_, count) => '`'.repeat(count)).join(' '),
]

test('200 hostile texts are inert, and none makes more of the page than a long text would', () => {
  const texts = [
    ...inAddress.flatMap(form => addresses.map(form)),
    ...markup,
    ...floods.map(flood => flood.repeat(flood.length === 1 ? 10_000 : 3000)),
    ...nests,
  ]
  expect(texts.length).toBeGreaterThanOrEqual(200)
  for (const text of texts) {
    const box = render(text)
    expect(dangers(box)).toEqual([])
    expect(box.querySelectorAll('*').length).toBeLessThan(25_000)
    expect(depthOf(box)).toBeLessThan(64)
  }
})

test('64 kB of quotes within each other are a few elements, and the text in them is there', () => {
  const box = render(`${'>'.repeat(65_000)} deep inside`)
  expect(box.textContent).toContain('deep inside')
  expect(box.querySelectorAll('*').length).toBeLessThan(50)
})

test('HTML is shown as it was typed', () => {
  expect(render('a <b>bold</b> <script>alert(1)</script>').textContent).toBe('a <b>bold</b> <script>alert(1)</script>')
})
