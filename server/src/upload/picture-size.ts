import type { FileHandle } from 'node:fs/promises'
import { readPart } from './read-part.ts'

/** In pixels. */
export interface PictureSize {
  width: number
  height: number
}

/** The size of a picture other than JPEG, read from the beginning of its file; null when that is too short. */
type SizeReader = (head: Buffer) => PictureSize | null

const pngSize: SizeReader = head => (head.length >= 24 ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) } : null)
const gifSize: SizeReader = head => (head.length >= 10 ? { width: head.readUInt16LE(6), height: head.readUInt16LE(8) } : null)
/** A negative height means that the rows are stored from top to bottom. */
const bmpSize: SizeReader = head =>
  head.length >= 26 ? { width: Math.abs(head.readInt32LE(18)), height: Math.abs(head.readInt32LE(22)) } : null
/** The three formats of a WebP file: extended, lossless, lossy. */
const webpSize: SizeReader = head => {
  if (head.length < 30) return null
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    default:
      return null
  }
}

export const sizeReaders: Readonly<Record<string, SizeReader>> = {
  'image/png': pngSize,
  'image/apng': pngSize,
  'image/gif': gifSize,
  'image/bmp': bmpSize,
  'image/webp': webpSize,
}

const startOfFrame = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
const startOfScan = 0xda
const fillByte = 0xff
/** A picture has tens of segments; one with thousands keeps readers busy. */
const mostSegments = 2000

/** Walks the segments of a JPEG file through the frame header to the scan; null where the chain breaks. (ITU-T T.81, annex B) */
export async function jpegSize(handle: FileHandle): Promise<PictureSize | null> {
  const startOfImage = Buffer.from([0xff, 0xd8])
  if (!(await readPart(handle, 0, 2)).equals(startOfImage)) return null
  let position = 2
  let size: PictureSize | null = null
  for (let segments = 0; segments < mostSegments; segments++) {
    const header = await readPart(handle, position, 4)
    if (header.length < 4 || header[0] !== 0xff) return null
    const marker = header[1] as number
    if (marker === fillByte) {
      position += 1
      continue
    }
    if (!hasLength(marker)) return null
    const length = header.readUInt16BE(2)
    if (length < 2) return null
    if (startOfFrame.has(marker)) {
      // A second frame header would be that of another picture.
      if (size) return null
      size = frameSize(await readPart(handle, position + 4, 6), length)
      if (!size) return null
    }
    if (marker === startOfScan) {
      // The picture's data follows. It may be missing: viewers then show a gray picture.
      const last = await readPart(handle, position + 1 + length, 1)
      return last.length === 1 ? size : null
    }
    position += 2 + length
  }
  return null
}

/** Markers without a length may not come before the scan, nor a second picture, an end, or reserved codes. */
function hasLength(marker: number) {
  return marker >= 0xc0 && (marker < 0xd0 || marker > 0xd9)
}

/** `frame` is the beginning of a frame header, `length` what its segment says of its own length. */
function frameSize(frame: Buffer, length: number): PictureSize | null {
  if (frame.length < 6) return null
  const components = frame.readUInt8(5)
  if (![1, 3, 4].includes(components) || length !== 8 + 3 * components) return null
  const size = { height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) }
  return size.width > 0 && size.height > 0 ? size : null
}
