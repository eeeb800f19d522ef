import MarkdownIt, { type StateBlock, type StateCore, type Token } from 'markdown-it'
import { type Name, namesIn } from './names-in-text.ts'

// The Markdown of comments and long fields. The browser renders it; the server mails it and finds the people and tickets that it names. Both use
// this parser.

export type { Token }

/** Maximum nesting of blocks: twenty quotes, or ten lists with their items. Anything deeper becomes text of the innermost block. */
const deepest = 20
/** The maximum for a text that consists mostly of quote marks. */
const deepestOfQuotes = 4
/** The marks of quotes and lists that begin a line. */
const blockMarks = /^(?:[ \t]*(?:>|(?<item>[-+*]|\d{1,9}[.)])(?=[ \t]|$)))+/gm
/** More marks and lines than any real text has. A text with more is treated as plain text, because parsing it would take too long. */
const mostMarks = 12_000
const mostCharacters = 100_000
/** A link leads to a page, to a mail or to a file of the ticket, and nowhere else. */
const mayLink = /^(https?:\/\/|mailto:|attachment:[1-9]\d{0,15}$)/i

/** CommonMark with GFM's tables, task lists, strikethrough and bare addresses; line breaks are kept, and HTML is text. */
export const markdown = new MarkdownIt('default', { html: false, linkify: true, breaks: true })
markdown.validateLink = address => mayLink.test(address)
markdown.linkify
  .set({ fuzzyLink: false, fuzzyIP: false })
  .add('ftp:', null)
  .add('//', null)
  .add('www.', {
    validate: (text, position, self) =>
      Math.max(0, self.testSchemaAt(`//www.${text.slice(position, position + 2000)}`, 'http:', 0) - '//www.'.length),
    normalize: match => {
      match.url = `http://${match.url}`
    },
  })
// The library's own pattern matches a label such as `xn--p1ai` in two ways, so that a name of eleven of them, which many places of a text can begin,
// takes 2^11 attempts each time.
markdown.linkify.re.get_domain = function () {
  const letter = this.get_pseudo_letter().source
  return new RegExp(`(?:${letter}(?:(?:-|${letter}){0,61}${letter})?)`)
}

interface Environment {
  deepest?: number
}

/** Ends the nesting: the rest of a quote or list becomes one paragraph. Of the marks at the start of its lines only list markers are kept. */
function tooDeep(state: StateBlock, startLine: number, endLine: number, silent: boolean) {
  if (state.level < ((state.env as Environment).deepest ?? deepest)) return false
  if (silent) return true
  let line = startLine + 1
  while (line < endLine && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent)) line++
  state.line = line
  const rest = state.getLines(startLine, line, state.blkIndent, false)
  // The group has the value of the last mark: undefined if that is a quote's.
  const content = rest.replace(blockMarks, (...found) => found.at(-1).item ?? '').trim()
  if (content === '') return true
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  Object.assign(inline, { content, map: [startLine, line], children: [] })
  state.push('paragraph_close', 'p', -1)
  return true
}
markdown.block.ruler.before('table', 'too_deep', tooDeep)

/** A paragraph as it reads without its marks, on one line. */
function wordsOf(children: readonly Token[]) {
  return children.map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content)).join('')
}

/** Turns a leading `[ ]` or `[x]` of list items into a check box, as GitHub does. `meta` says where it is in the text. */
function tasks({ tokens, Token: New }: StateCore) {
  for (const [index, inline] of tokens.entries()) {
    const item = tokens[index - 2]
    const first = inline.children?.[0]
    if (inline.type !== 'inline' || item?.type !== 'list_item_open' || first?.type !== 'text') continue
    const box = /^\[([ xX])\]\s+(?=\S)/.exec(inline.content)
    if (!box || !first.content.startsWith(box[0].trimEnd())) continue
    first.content = first.content.slice(box[0].length)
    const task = new New('task', 'input', 0)
    const name = wordsOf(inline.children ?? [])
    task.meta = { isDone: box[1] !== ' ', line: inline.map?.[0] ?? 0, content: inline.content, name }
    inline.children?.unshift(task)
    item.attrSet('class', 'task')
  }
}
markdown.core.ruler.push('tasks', tasks)

/** Makes tokens of the tickets, people and labels that a text names, outside of links. */
function names({ tokens, Token: New }: StateCore) {
  for (const inline of tokens) {
    if (inline.type !== 'inline' || !inline.children) continue
    let links = 0
    inline.children = inline.children.flatMap(token => {
      if (token.type === 'link_open' || token.type === 'link_close') links += token.nesting
      return token.type === 'text' && links === 0 ? splitAtNames(token, New) : [token]
    })
  }
}

/** A text as the tokens of its names and of what stands between them; itself if it has no names. */
function splitAtNames(text: Token, New: StateCore['Token']): Token[] {
  const { content } = text
  const parts: Token[] = []
  const add = (type: string, words: string) => {
    if (words !== '') parts.push(Object.assign(new New(type, '', 0), { content: words }))
  }
  let end = 0
  for (const { kind, name, index } of namesIn(content)) {
    add('text', content.slice(end, index))
    add(kind, name)
    end = index + name.length
  }
  if (end === 0) return [text]
  add('text', content.slice(end))
  return parts
}
markdown.core.ruler.push('names', names)

/** The text's tokens; undefined when it is too large or too complex and is treated as plain text. */
export function parse(text: string): Token[] | undefined {
  if (text.length > mostCharacters) return
  let marks = 0
  for (const _ of text.matchAll(/[\n[\]*_~!|<\\&`@]/g)) if (++marks > mostMarks) return
  const quotes = text.split('>', mostMarks + 1).length
  return markdown.parse(text, (quotes > mostMarks ? { deepest: deepestOfQuotes } : {}) satisfies Environment)
}

/** The text as it reads without its marks, on one line: a link as its words, a picture as its description. */
export function plainText(text: string): string {
  const tokens = parse(text)
  if (!tokens) return text
  return tokens
    .map(({ children, content }) => (children ? wordsOf(children) : content))
    .filter(part => part !== '')
    .join(' ')
}

const kinds: ReadonlySet<string> = new Set<Name['kind']>(['ticket', 'person', 'label'])

/** What tokens name, outside of code and links. */
export function namesOfTokens(tokens: readonly Token[]): Omit<Name, 'index'>[] {
  return tokens.flatMap(({ children }) =>
    (children ?? []).flatMap(({ type, content }) => (kinds.has(type) ? [{ kind: type as Name['kind'], name: content }] : [])),
  )
}

/** What a text names, outside of code and links; in a text that is treated as plain text, anywhere. */
export function namesOf(text: string): Omit<Name, 'index'>[] {
  const tokens = parse(text)
  return tokens ? namesOfTokens(tokens) : namesIn(text)
}

/** The text with the task's check box toggled; the text unchanged when the task is no longer there. */
export function tickTask(text: string, task: Token): string {
  const { line = 0, content = '', isDone } = (task.meta ?? {}) as { line?: number; content?: string; isDone?: boolean }
  const lines = text.split('\n')
  const old = lines[line]?.trimEnd() ?? ''
  const start = old.length - (content.split('\n', 1)[0] ?? '').trimEnd().length
  if (!/^\[[ xX]\]/.test(old.slice(Math.max(0, start)))) return text
  lines[line] = `${old.slice(0, start + 1)}${isDone ? ' ' : 'x'}${lines[line]?.slice(start + 2)}`
  return lines.join('\n')
}
