/** The placeholder in a text while a picture is being uploaded. */
export function placeholder(name: string, count: number) {
  return `![Uploading ${name.replaceAll(/[[\]\n\\]/g, '')} ${count}…]()`
}
const pattern = /!\[Uploading [^\]\n]*…\]\(\)/g

/** Whether a picture is still being uploaded into the text. */
export const isUploading = (text: string) => text.search(pattern) >= 0
/** The text without placeholders of pictures that were never uploaded. */
export const withoutUploads = (text: string) => text.replaceAll(pattern, '')
