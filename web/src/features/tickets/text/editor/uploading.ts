/** The placeholder in a text while a picture is being uploaded. */
export function placeholder(name: string, count: number) {
  return `![Uploading ${name.replaceAll(/[[\]\n\\]/g, '')} ${count}…]()`
}
const pattern = /!\[Uploading [^\]\n]*…\]\(\)\n?/g

/** Whether a picture is still being uploaded into the text. */
export const isUploading = (text: string) => text.search(pattern) >= 0
/** The text without placeholders of pictures that were never uploaded. */
export const withoutUploads = (text: string) => text.replaceAll(pattern, '')

/**
 * What a failed upload takes out of the text: its placeholder and the line break after it; at the end of the text or before an empty line also the
 * break that was put before it.
 */
export function withBreaks(text: string, mark: string, hasBreakBefore: boolean) {
  const at = text.indexOf(mark)
  const end = at + mark.length
  const to = text[end] === '\n' ? end + 1 : end
  const isLast = to === text.length || text[to] === '\n'
  return { from: hasBreakBefore && isLast && text[at - 1] === '\n' ? at - 1 : at, to }
}
