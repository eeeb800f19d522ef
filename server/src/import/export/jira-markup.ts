// Converts Jira's wiki markup to Markdown. Everything else stays as written; colors and underlines, which Markdown does not have, are dropped.

export function jiraToMarkdown(text: string): string {
  return around(text, ['code', 'noformat'], ({ parameters, content }) => codeBlock(parameters, content), withQuotes)
}

/** A part of a text between two marks of the same kind, such as `{code:js}` and `{code}`. */
interface Block {
  kind: string
  parameters: string
  content: string
}

/** Applies `found` to the blocks of these kinds and `other` to the text between them. */
function around(text: string, kinds: readonly string[], found: (block: Block) => string, other: (text: string) => string) {
  const opening = new RegExp(`\\{(${kinds.join('|')})(?::([^{}\\n]*))?\\}`, 'g')
  // So that a mark without an end does not make the search run to the end of the text again and again.
  const lastEnd = new Map(kinds.map(kind => [kind, text.lastIndexOf(`{${kind}}`)]))
  const parts: string[] = []
  let end = 0
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [, kind = '', parameters = ''] = match
    const start = opening.lastIndex
    if ((lastEnd.get(kind) ?? -1) < start) continue
    const close = text.indexOf(`{${kind}}`, start)
    parts.push(other(text.slice(end, match.index)), found({ kind, parameters, content: text.slice(start, close) }))
    end = close + kind.length + 2
    opening.lastIndex = end
  }
  return end === 0 ? other(text) : joined([...parts, other(text.slice(end))])
}

/** Joins texts so that each begins on its own line. */
function joined(parts: readonly string[]) {
  const kept = parts.filter(part => part.trim() !== '')
  return kept
    .map((part, index) => {
      const begun = part.replace(index === 0 ? /^\n+/ : /^\s*\n/, '')
      return index === kept.length - 1 ? begun : begun.trimEnd()
    })
    .join('\n\n')
}

/** `{code:title=Foo.js|js}`: the title goes above the block, a single word is the language. */
function codeBlock(parameters: string, content: string) {
  const parts = parameters.split('|').map(part => part.trim())
  const title = /(?:^|[|\s])title=([^|]*)/.exec(parameters)?.[1]?.trim()
  const language = parts.map(part => /^[\w+#-]+(?=$|\s)/.exec(part)?.[0]).find(word => word !== undefined) ?? ''
  const fence = '`'.repeat(Math.max(3, longestTicks(content) + 1))
  return `${title ? `${inline(title)}\n\n` : ''}${fence}${language}\n${content.replace(/^\s*\n/, '').trimEnd()}\n${fence}`
}

function withQuotes(text: string) {
  return around(
    text,
    ['quote', 'panel'],
    ({ kind, parameters, content }) => {
      const title = kind === 'panel' ? /(?:^|\|)title=([^|]*)/.exec(parameters)?.[1] : undefined
      const body = prose(`${title ? `*${title.trim()}*\n\n` : ''}${content.trim()}`)
      return body
        .split('\n')
        .map(line => `> ${line}`.trimEnd())
        .join('\n')
    },
    prose,
  )
}

const row = /^\s*\|.*\|\s*$/
const heading = /^\s*h([1-6])\.\s+(.*)$/
const item = /^\s*([*#-]+)\s+(.*)$/
const rule = /^\s*-{4,}\s*$/

/** Converts lines outside of code. */
function prose(text: string) {
  const lines = text.replace(/\{color(?::[^{}\n]*)?\}/g, '').split('\n')
  const result: string[] = []
  let columns = 0
  for (const [index, line] of lines.entries()) {
    const inTable = row.test(lines[index - 1] ?? '')
    if (!inTable) columns = 0
    if (row.test(line)) {
      const cells = cellsOf(line.trim().replaceAll('||', '|').slice(1, -1))
      columns ||= cells.length
      result.push(...tableRow(line, cells, columns, inTable))
    } else result.push(...(inTable && line.trim() !== '' ? [''] : []), proseLine(line, lines[index - 1] ?? ''))
  }
  return result.join('\n')
}

function proseLine(line: string, before: string) {
  const [, level = '', title = ''] = heading.exec(line) ?? []
  if (level) return `${'#'.repeat(Number(level))} ${inline(title)}`
  if (rule.test(line)) return before.trim() === '' ? '---' : '\n---'
  const [, marks = '', rest = ''] = item.exec(line) ?? []
  if (marks && (marks.length === 1 || !marks.includes('-'))) {
    const depth = [...marks.slice(0, -1)].map(mark => (mark === '#' ? '   ' : '  ')).join('')
    // A list begins a new block, except within a list.
    const first = before.trim() !== '' && !item.test(before) ? '\n' : ''
    return `${first}${depth}${marks.endsWith('#') ? '1.' : '-'} ${inline(rest)}`
  }
  if (/^\s*bq\.\s/.test(line)) return `> ${inline(line.replace(/^\s*bq\.\s+/, ''))}`
  // Markdown would read these as code, the underline of a heading, or a link definition.
  const plain = line.replace(/^(\t| {4})\s*/, '').replace(/\\\\\s*$/, '')
  if (/^\s*(=+|-+)\s*$/.test(plain)) return plain.replace(/[=-]/, '\\$&')
  if (/^\s*\[[^\]]*\]:/.test(plain)) return plain.replace('[', '\\[')
  return inline(plain)
}

/** `||a||b||` is a header; a table without one gets an empty header. Markdown drops cells beyond the header's: they go into the last one. */
function tableRow(line: string, cells: string[], columns: number, inTable: boolean) {
  const isHead = line.trim().startsWith('||')
  const kept = [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(' ')]
  const content = `| ${kept.map(cell => inline(cell.trim())).join(' | ')} |`
  const separator = `|${' --- |'.repeat(columns)}`
  if (inTable) return [content]
  return isHead ? ['', content, separator] : ['', `|${'  |'.repeat(columns)}`, separator, content]
}

/** The cells of a row: bars within links and pictures are not separators. */
function cellsOf(text: string) {
  const cells = text.match(/(?:\[[^[\]\n]*\]|![^\s!|][^!\n]*!|[^|])+|(?<=\|)(?=\|)/g)
  return cells ?? [text]
}

const address = /^(?:https?:\/\/|mailto:|ftp:\/\/)\S+$/i
/** The markup within a line, each with the name of its group; `inline` converts it. */
const inlineMarkup = new RegExp(
  [
    // Markdown would show `&amp;` as `&`.
    /(?<entity>&(?=#?\w+;))/,
    /\{\{(?<mono>(?:(?!\{\{)[^\n])+?)\}\}/,
    /\[(?<link>[^[\]\n]+)\]/,
    /!(?<picture>[^\s!|][^!|\n]*\.(?:png|jpe?g|gif|bmp|svg|webp))(?:\|[^!\n]*)?!/,
    /(?<![\p{L}\p{N}*\\])\*(?<bold>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\p{L}\p{N}*])/u,
    /(?<=^|\s)-(?<strike>[^\s-](?:[^\n-]*[^\s-])?)-(?=$|[\s.,;:!?)])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
)

function inline(text: string): string {
  return text.replace(inlineMarkup, (whole, ...rest) => {
    const { entity, mono, link, picture, bold, strike } = rest.at(-1) as Record<string, string | undefined>
    if (entity !== undefined) return '\\&'
    if (mono !== undefined) return codeSpan(mono)
    if (link !== undefined) return linkOf(link, text.slice(Number(rest.at(-3)) + whole.length)) ?? whole
    if (picture !== undefined) return `![${picture.replace(/^.*\//, '')}](${addressOf(picture)})`
    if (bold !== undefined) return `**${inline(bold)}**`
    return `~~${inline(strike ?? '')}~~`
  })
}

/** The length of the longest run of backticks. */
function longestTicks(text: string) {
  let longest = 0
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  return longest
}

function codeSpan(text: string) {
  const longest = longestTicks(text)
  const ticks = '`'.repeat(longest + 1)
  return longest > 0 ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`
}

/** `[text|url]`, `[url]`, `[~login]`, `[^file]`; undefined for brackets that are none of these. `after` follows the brackets. */
function linkOf(text: string, after: string) {
  if (text.startsWith('~')) return `@${text.slice(1)}${/^[\p{L}\p{N}]/u.test(after) ? ' ' : ''}`
  if (text.startsWith('^')) return text.slice(1)
  const [label = '', ...parts] = text.split('|')
  const url = parts.length === 0 ? label.trim() : (parts[0] ?? '').trim()
  if (!address.test(url)) return undefined
  if (parts.length === 0) return `<${url}>`
  const target = url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('<', '%3C').replaceAll('>', '%3E')
  return `[${inline(label)}](${target})`
}

/** Encodes the name of a file; an address is already encoded. */
function addressOf(picture: string) {
  return picture.includes('://') ? encodeURI(picture).replace(/%25(?=[\dA-F]{2})/gi, '%') : encodeURI(picture)
}
