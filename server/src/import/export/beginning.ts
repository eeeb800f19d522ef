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
