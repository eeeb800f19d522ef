/** What stands in a text while a picture is on its way. */
export function placeholder(name: string, count: number) {
  return `![Uploading ${name.replaceAll(/[[\]\n\\]/g, '')} ${count}…]()`
}
const pattern = /!\[Uploading [^\]\n]*…\]\(\)/g

/** Whether a picture is still on its way into the text. */
export const isUploading = (text: string) => text.search(pattern) >= 0
/** The text without pictures that never arrived. */
export const withoutUploads = (text: string) => text.replaceAll(pattern, '')
