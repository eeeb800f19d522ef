import { type FileHandle, open } from 'node:fs/promises'
import { fileTypeFromFile, supportedMimeTypes } from 'file-type'

/** The type of a file by its content; the claimed type and the file name are ignored. */
export interface FileContent {
  type: string
  /** The usual extension. */
  extension: string
  /** Only for a picture whose header has its size. */
  pixels?: PictureSize
}
export interface PictureSize {
  width: number
  height: number
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
    const head = await read(handle, 0, 4096)
    if (head.length === 0) return null
    const detected = await fileTypeFromFile(path).catch(() => undefined)
    if (!detected) return (await isPlainText(handle)) ? { type: 'text/plain', extension: 'txt' } : null
    const content = { type: detected.mime as string, extension: detected.ext as string }
    if (!content.type.startsWith('image/')) return content
    if (content.type === 'image/jpeg') {
      const pixels = await jpegSize(handle)
      return pixels && !(await isAlsoSomethingElse(handle, head)) ? { ...content, extension: 'jpg', pixels } : null
    }
    if (await isAlsoSomethingElse(handle, head)) return null
    const reader = pixelReaders[content.type]
    if (!reader) return content
    const pixels = reader(head)
    return pixels && pixels.width > 0 && pixels.height > 0 ? { ...content, pixels } : null
  } finally {
    await handle.close()
  }
}

async function read(handle: FileHandle, position: number, length: number) {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const startOfFrame = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

/** Walks the segments from FF D8 through the frame header to the scan; null where the chain breaks. (ITU-T T.81, annex B) */
async function jpegSize(handle: FileHandle) {
  let position = 2
  let size: { width: number; height: number } | null = null
  if (!(await read(handle, 0, 2)).equals(Buffer.from([0xff, 0xd8]))) return null
  // A picture has tens of segments; one with thousands keeps readers busy.
  for (let segments = 0; segments < 2000; segments++) {
    const header = await read(handle, position, 4)
    if (header.length < 4 || header[0] !== 0xff) return null
    const marker = header[1] as number
    if (marker === 0xff) {
      position += 1 // fill byte
      continue
    }
    // Markers without a length may not come here, nor a second picture, an end, or reserved codes.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return null
    const length = header.readUInt16BE(2)
    if (length < 2) return null
    if (startOfFrame.has(marker)) {
      const frame = await read(handle, position + 4, 6)
      const components = frame[5] as number
      if (size || frame.length < 6 || ![1, 3, 4].includes(components) || length !== 8 + 3 * components) return null
      size = { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) }
      if (size.width === 0 || size.height === 0) return null
    }
    if (marker === 0xda) {
      // The picture's data follows. It may be missing: viewers then show a grey picture.
      const last = await read(handle, position + 1 + length, 1)
      return last.length === 1 ? size : null
    }
    position += 2 + length
  }
  return null
}

/** Whether the file also has signatures that other programs find even after a picture. */
async function isAlsoSomethingElse(handle: FileHandle, head: Buffer) {
  const start = head.subarray(0, 1500).toString('latin1').toLowerCase()
  if (start.includes('%pdf-') || /<(!doctype|html|script|\?php|svg|iframe|body)\b|<\?php|<%[@=!-]/.test(start)) return true
  const { size } = await handle.stat()
  const from = Math.max(0, size - 65_557)
  return endsAsZip(await read(handle, from, size - from))
}

/** A ZIP (and so a JAR or an office document) is found from its end: a record of 22 bytes and a comment up to the last byte. */
function endsAsZip(tail: Buffer) {
  const signature = 'PK\x05\x06'
  for (let at = tail.indexOf(signature); at >= 0; at = tail.indexOf(signature, at + 1)) {
    if (at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true
  }
  return false
}

type PixelReader = (head: Buffer) => PictureSize | null
const pngSize: PixelReader = head => (head.length >= 24 ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) } : null)
const pixelReaders: Record<string, PixelReader> = {
  'image/png': pngSize,
  'image/apng': pngSize,
  'image/gif': head => (head.length >= 10 ? { width: head.readUInt16LE(6), height: head.readUInt16LE(8) } : null),
  'image/bmp': head => (head.length >= 26 ? { width: Math.abs(head.readInt32LE(18)), height: Math.abs(head.readInt32LE(22)) } : null),
  'image/webp': head => {
    const kind = head.subarray(12, 16).toString('latin1')
    if (head.length < 30) return null
    if (kind === 'VP8X') return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    if (kind === 'VP8L') {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    return kind === 'VP8 ' ? { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff } : null
  },
}

/** UTF-8 without control characters that text does not have. */
async function isPlainText(handle: FileHandle) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text must not contain.
  const control = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/
  const step = 1 << 18
  try {
    for (let position = 0; ; position += step) {
      const bytes = await read(handle, position, step)
      if (control.test(decoder.decode(bytes, { stream: bytes.length === step }))) return false
      if (bytes.length < step) return true
    }
  } catch {
    return false
  }
}
