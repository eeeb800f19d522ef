import { type FileHandle, open } from 'node:fs/promises'
import { fileTypeFromFile, supportedMimeTypes } from 'file-type'
import { jpegSize, type PictureSize, sizeReaders } from './picture-size.ts'
import { readPart } from './read-part.ts'

/** The type of a file by its content; the claimed type and the file name are ignored. */
export interface FileContent {
  type: string
  /** The usual extension. */
  extension: string
  /** Only for a picture whose header has its size. */
  pixels?: PictureSize
}

/** Types with more than one extension. */
const extensions: Record<string, readonly string[]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'image/tiff': ['tif', 'tiff'],
  'text/plain': ['txt', 'text', 'log', 'md', 'csv'],
  'text/csv': ['csv'],
  'video/mp4': ['mp4', 'm4v'],
  'audio/mpeg': ['mp3'],
}

const textTypes = ['text/plain', 'text/csv']

/** Whether a file can be found to be of this type. */
export function isRecognized(type: string) {
  return textTypes.includes(type) || (supportedMimeTypes as ReadonlySet<string>).has(type)
}

/** The types as which the file is accepted, the best first: content tells that it is text, and only the name that the text is CSV. */
export function typesOf({ type }: FileContent, extension: string) {
  return type === 'text/plain' && extension.toLowerCase() === 'csv' ? ['text/csv', type] : [type]
}

export function fitsExtension(content: FileContent, extension: string) {
  const wanted = extension.toLowerCase()
  return extensions[content.type]?.includes(wanted) ?? wanted === content.extension
}

/** The type of the file; null when it is unknown, damaged before its picture data, or ambiguous. */
export async function inspectFile(path: string): Promise<FileContent | null> {
  const handle = await open(path, 'r')
  try {
    const head = await readPart(handle, 0, 4096)
    if (head.length === 0) return null
    const detected = await fileTypeFromFile(path).catch(() => undefined)
    if (!detected) return (await isPlainText(handle)) ? { type: 'text/plain', extension: 'txt' } : null
    const content = { type: detected.mime as string, extension: detected.ext as string }
    return content.type.startsWith('image/') ? await inspectPicture(handle, head, content) : content
  } finally {
    await handle.close()
  }
}

async function inspectPicture(handle: FileHandle, head: Buffer, content: FileContent): Promise<FileContent | null> {
  if (await isAlsoSomethingElse(handle, head)) return null
  if (content.type === 'image/jpeg') {
    const pixels = await jpegSize(handle)
    return pixels && { ...content, extension: 'jpg', pixels }
  }
  const sizeOf = sizeReaders[content.type]
  if (!sizeOf) return content
  const pixels = sizeOf(head)
  return pixels && pixels.width > 0 && pixels.height > 0 ? { ...content, pixels } : null
}

/** Whether the file also has signatures that other programs find even after a picture. */
async function isAlsoSomethingElse(handle: FileHandle, head: Buffer) {
  const start = head.subarray(0, 1500).toString('latin1').toLowerCase()
  if (start.includes('%pdf-') || /<(!doctype|html|script|\?php|svg|iframe|body)\b|<\?php|<%[@=!-]/.test(start)) return true
  const { size } = await handle.stat()
  const from = Math.max(0, size - 65_557)
  return endsAsZip(await readPart(handle, from, size - from))
}

/** A ZIP (and so a JAR or an office document) is found from its end: a record of 22 bytes and a comment up to the last byte. */
function endsAsZip(tail: Buffer) {
  const signature = 'PK\x05\x06'
  for (let at = tail.indexOf(signature); at >= 0; at = tail.indexOf(signature, at + 1)) {
    if (at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true
  }
  return false
}

/** UTF-8 without control characters that text does not have. */
async function isPlainText(handle: FileHandle) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text must not contain.
  const control = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/
  const step = 1 << 18
  try {
    for (let position = 0; ; position += step) {
      const bytes = await readPart(handle, position, step)
      if (control.test(decoder.decode(bytes, { stream: bytes.length === step }))) return false
      if (bytes.length < step) return true
    }
  } catch {
    return false
  }
}
