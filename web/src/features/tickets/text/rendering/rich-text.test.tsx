import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { parse, tickTask } from '@tessera/contract/text/markdown'
import { getByRole, render as mount, queryAllByRole, waitFor } from '@testing-library/react'
// @ts-expect-error it has no types
import spec from 'commonmark-spec'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { hostileTexts } from '../../../../../test/hostile-texts.ts'
import type { Ticket } from '../../ticket.ts'
import { HighlightedCode } from './highlighted-code.tsx'
import { PlainText } from './plain-text.tsx'
import { RenderedText } from './rendered-text.tsx'

const ticket = {
  idTicket: 5,
  Attachments: [{ id: 7, name: 'screen.png' }],
  Pictures: [{ id: 7, Width: 800, Height: 600 }],
} as unknown as Ticket

const client = new QueryClient()
/** What is drawn of it at first, or all of it. */
function render(text: string, firstPart?: number) {
  const box = document.createElement('div')
  box.innerHTML = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <RenderedText text={text} ticket={ticket} firstPart={firstPart} />
    </QueryClientProvider>,
  )
  return box
}
const html = (text: string) => render(text).querySelector('div')?.innerHTML

const elements =
  'div p br h2 h3 h4 h5 h6 blockquote ul ol li hr em strong del code pre a button img input section table thead tbody tr th td'
const attributes =
  'dir class role start type checked disabled tabindex aria-label data-address data-align data-name href target rel title src alt loading width height'

const known = { elements: new Set(elements.split(' ')), attributes: new Set(attributes.split(' ')) }
const leadsSomewhere = /^(https?:\/\/|mailto:|\/api\/1\/private\/attachment-download\.php\?id=7$)/i

/** Everything in it that could run, load or imitate a part of the page. */
function dangers(box: HTMLElement) {
  return [...box.querySelectorAll('*')].flatMap(element => [
    ...(known.elements.has(element.localName) ? [] : [element.localName]),
    ...[...element.attributes]
      .filter(
        ({ name, value }) =>
          !known.attributes.has(name) ||
          (name === 'role' && value !== 'group') ||
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
    '<h2>Big</h2><p><strong>bold</strong> <em>it</em> <del>old</del> <code>x&lt;y</code><br>next</p>',
  )
  const table = render('| a | b |\n|---|--:|\n| 1 | 2 |').querySelector('table')
  expect(table?.textContent).toBe('ab12')
  // What scrolls is reached by keyboard, and no landmark: all tables of a page have this name.
  expect(queryAllByRole(render('| a |\n|---|'), 'region')).toEqual([])
  expect(getByRole(render('| a |\n|---|'), 'group', { name: 'Table' }).tabIndex).toBe(0)
  expect(table?.querySelectorAll('[data-align=right]')).toHaveLength(2)
  const boxes = render('- [ ] **one** [x](https://a.example) `z`\n- [x] two\n- [y] three').querySelectorAll<HTMLInputElement>(
    'input[type=checkbox]',
  )
  expect([...boxes].map(box => [box.ariaLabel ?? box.getAttribute('aria-label'), box.checked, box.disabled])).toEqual([
    ['one x z', false, true],
    ['two', true, true],
  ])
  const links = render(
    'See https://a.example/x?y=1, www.b.example and me@c.example, http://xn--bcher-kva.xn--p1ai; not example.com, README.md or ftp://d.example',
  )
  expect([...links.querySelectorAll('a')].map(link => link.getAttribute('href'))).toEqual([
    'https://a.example/x?y=1',
    'http://www.b.example',
    'mailto:me@c.example',
    'http://xn--bcher-kva.xn--p1ai',
  ])
  const named = render('[plan](https://a.example/p), [https://b.example](https://c.example) and https://d.example')
  expect([...named.querySelectorAll('a')].map(link => link.dataset.address)).toEqual([
    'https://a.example/p',
    'https://c.example',
    undefined,
  ])
  expect(html('3. three\n4. four')).toBe('<ol dir="auto" start="3"><li>three</li><li>four</li></ol>')
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

test('pictures of the ticket are drawn with their size, those from elsewhere are links, those that the ticket lacks a name', () => {
  const picture = render('![A screen](attachment:7)').querySelector('img')
  expect(picture?.getAttribute('width')).toBe('800')
  expect(picture?.getAttribute('height')).toBe('600')
  expect(picture?.getAttribute('alt')).toBe('A screen')
  expect(html('see ![x](attachment:8) and ![](attachment:9)')).toBe('<p>see x and picture</p>')
  expect(render('![far](https://a.example/p.png)').querySelector('a')?.textContent).toBe('far')
  expect(render('[the file](attachment:7)').querySelector('a')?.getAttribute('href')).toBe('/api/1/private/attachment-download.php?id=7')
  expect(html('[a file](attachment:8)')).toBe('<p>a file</p>')
})

test('a text without marks looks the same before the renderer has loaded', () => {
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

// Six seconds of processor time, which a busy machine gives in two minutes.
test('200 hostile texts are inert, and the beginning of each is drawn with a few elements', { timeout: 300_000 }, () => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(200)
  for (const text of hostileTexts) {
    const beginning = render(text)
    expect(beginning.querySelectorAll('*').length).toBeLessThan(220)
    expect(beginning.textContent?.length).toBeLessThanOrEqual(8_000)
    const whole = text.length < 500 ? beginning : render(text, Number.POSITIVE_INFINITY)
    expect(dangers(whole)).toEqual([])
    expect(whole.querySelectorAll('*').length).toBeLessThan(25_000)
    expect(depthOf(whole)).toBeLessThan(64)
    expect(whole.textContent?.slice(0, beginning.textContent?.length)).toBe(beginning.textContent)
  }
})

test('a long text is eventually rendered in full', async () => {
  const words = 'many words, '.repeat(5000)
  const lines = Array.from({ length: 5000 }, (_, index) => `- ${index}`).join('\n')
  const { container } = mount(
    <QueryClientProvider client={client}>
      <PlainText text={words} />
      <RenderedText text={lines} ticket={ticket} />
    </QueryClientProvider>,
  )
  expect(container.querySelectorAll('li').length).toBeLessThan(500)
  const drawn = () => ({ items: container.querySelectorAll('li').length, letters: container.querySelector('p')?.textContent?.length })
  await waitFor(() => expect(drawn()).toEqual({ items: 5000, letters: words.trim().length }), { timeout: 40_000 })
})

test('quotes and lists end at a depth: what is deeper stands in the innermost, without the marks of quotes', () => {
  const deep = render(`${'>'.repeat(65_000)} **deep** inside`)
  expect(deep.textContent).toBe('deep inside')
  expect(deep.querySelectorAll('blockquote').length).toBeLessThanOrEqual(20)
  expect(deep.querySelector('blockquote strong')?.textContent).toBe('deep')

  const growing = render(Array.from({ length: 60 }, (_, depth) => `${'>'.repeat(depth)} line${depth}`).join('\n'))
  expect(growing.textContent?.match(/\d+/g)).toEqual(Array.from({ length: 60 }, (_, depth) => String(depth)))
  expect(growing.textContent).not.toContain('>')
  expect(growing.querySelectorAll('blockquote')).toHaveLength(20)

  const list = render(Array.from({ length: 13 }, (_, depth) => `${'  '.repeat(depth)}- item${depth}`).join('\n'))
  expect(list.querySelectorAll('li')).toHaveLength(10)
  expect([...list.querySelectorAll('li')].at(-1)?.innerHTML).toBe('item9<br>- item10<br>- item11<br>- item12')

  const many = render(`${'>'.repeat(20)} reply\n\n`.repeat(900), Number.POSITIVE_INFINITY)
  expect(many.querySelectorAll('blockquote')).toHaveLength(4 * 900)
  expect(many.textContent).toBe('reply'.repeat(900))
})

test('HTML is shown as it was typed', () => {
  expect(render('a <b>bold</b> <script>alert(1)</script>').textContent).toBe('a <b>bold</b> <script>alert(1)</script>')
})

test('code is highlighted up to a length that takes no noticeable time', () => {
  const highlighted = (lines: number) => renderToStaticMarkup(<HighlightedCode code={'int a = 1;\n'.repeat(lines)} language="c" />)
  expect(highlighted(400)).toContain('<span')
  expect(highlighted(500)).not.toContain('<span')
})
