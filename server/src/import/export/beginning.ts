import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** The first kilobytes of the file, decompressed if it is `.gz`. Nothing if it cannot be read: the reader of the whole says why. */
export async function beginningOf(file: string): Promise<Buffer> {
  const source = createReadStream(file)
  const bytes = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  source.on('error', error => bytes.destroy(error))
  try {
    for await (const chunk of bytes) return chunk
  } catch {
    // Reported when the file is read.
  } finally {
    source.destroy()
  }
  return Buffer.alloc(0)
}

/** An Excel workbook begins as a ZIP file; one of Excel 2003 or earlier as a compound file. */
export function isWorkbook(beginning: Buffer) {
  return ['504b0304', 'd0cf11e0'].includes(beginning.toString('hex', 0, 4))
}

/** Of a file without `.gz` in its name. */
export function isGzip(beginning: Buffer) {
  return beginning[0] === 0x1f && beginning[1] === 0x8b
}

/** With the mark of its byte order, or without: then every second byte of a header in Latin letters is NUL. */
export function isUtf16(beginning: Buffer) {
  if (beginning[0] === 0xff || beginning[0] === 0xfe) return true
  const some = [...beginning.subarray(0, 16)]
  return some.length === 16 && [0, 1].some(parity => some.every((byte, place) => (byte === 0) === (place % 2 === parity)))
}

/** Jira separates cells by commas. Excel saves CSV with semicolons in many countries, and text with tabs. */
export function separatorOf(beginning: Buffer) {
  const [header = ''] = beginning
    .toString()
    .trimStart()
    .split(/[\r\n]/)
  const unquoted = header.replaceAll(/"[^"]*"/g, '')
  const count = (separator: string) => unquoted.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}
