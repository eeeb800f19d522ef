import { markdown, parse, type Token } from '@tessera/contract/text/markdown'

// A mail shows a text as the page does, except for what only a page can look up or load: names stay text, and a picture is a link.

const { escapeHtml } = markdown.utils
const asText = (tokens: Token[], index: number) => escapeHtml(tokens[index]?.content ?? '')
for (const type of ['ticket', 'person', 'label']) markdown.renderer.rules[type] = asText
markdown.renderer.rules.task = (tokens, index) => ((tokens[index]?.meta as { isDone?: boolean } | null)?.isDone ? '☑ ' : '☐ ')
// A mail program must not load a picture: that would tell the picture's server who reads the mail. Attachments need a session anyway.
markdown.renderer.rules.image = (tokens, index, _options, env) => {
  const picture = tokens[index] as Token
  return `<a href="${escapeHtml(addressIn(picture, 'src', env))}">${escapeHtml(picture.content || 'picture')}</a>`
}
markdown.renderer.rules.link_open = (tokens, index, options, env, renderer) => {
  const link = tokens[index] as Token
  link.attrSet('href', addressIn(link, 'href', env))
  return renderer.renderToken(tokens, index, options)
}

/** Where a link or picture leads: for an attachment, to its download. */
function addressIn(token: Token, attribute: 'src' | 'href', env: unknown) {
  const address = String(token.attrGet(attribute) ?? '')
  const [, id] = /^attachment:(\d+)$/i.exec(address) ?? []
  return id ? `${(env as { publicUrl?: string }).publicUrl ?? ''}/api/1/private/attachment-download.php?id=${id}` : address
}

/** The text as HTML for a mail; undefined when it is too large or too complex. */
export function markdownHtml(text: string, publicUrl: string): string | undefined {
  const tokens = parse(text)
  return tokens && markdown.renderer.render(tokens, markdown.options, { publicUrl })
}
