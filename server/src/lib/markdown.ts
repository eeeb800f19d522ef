import MarkdownIt, { type Token } from 'markdown-it'

/** More marks and lines than a person writes: parsing such a text would block other requests. */
const mostMarks = 12_000
const mostCharacters = 100_000
/** A link may lead only to a page or to a mail, a picture to an attachment of the ticket too. */
const mayLink = /^(https?:\/\/|mailto:|attachment:[1-9]\d{0,15}$)/i

/** CommonMark with GFM's tables, strikethrough and links; a line break stays one. HTML is text. The same as in the browser. */
export const markdown = new MarkdownIt('default', { html: false, linkify: true, breaks: true })
markdown.validateLink = address => mayLink.test(address)
markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false }).add('ftp:', null).add('//', null)

/** The text's tokens; undefined when it is too much, and is treated as plain text. */
export function parseMarkdown(text: string): Token[] | undefined {
  if (text.length > mostCharacters) return undefined
  let marks = 0
  for (const _ of text.matchAll(/[\n[\]*_~!|<\\&`@]/g)) if (++marks > mostMarks) return undefined
  return markdown.parse(text, {})
}

/** The pieces of text that are no code and no part of a link. */
export function proseOf(text: string): string[] {
  const tokens = parseMarkdown(text)
  if (!tokens) return [text]
  return tokens.flatMap(({ children }) => {
    let links = 0
    return (children ?? []).flatMap(({ type, content, nesting }) => {
      if (type === 'link_open' || type === 'link_close') links += nesting
      return type === 'text' && links === 0 ? [content] : []
    })
  })
}

// A mail program must not load a picture: its server would learn who reads. The attachment needs a session anyway.
markdown.renderer.rules.image = (tokens, index, _options, env) => {
  const { escapeHtml } = markdown.utils
  const picture = tokens[index] as Token
  const source = String(picture.attrGet('src') ?? '')
  const [, id] = /^attachment:(\d+)$/.exec(source) ?? []
  const address = id ? `${(env as { publicUrl?: string }).publicUrl ?? ''}/api/1/private/attachment-download.php?id=${id}` : source
  return `<a href="${escapeHtml(address)}">${escapeHtml(picture.content || 'picture')}</a>`
}

/** The text as HTML for a mail; undefined when it is too much. */
export function markdownHtml(text: string, publicUrl: string): string | undefined {
  const tokens = parseMarkdown(text)
  return tokens && markdown.renderer.render(tokens, markdown.options, { publicUrl })
}
