import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { OperatorError } from '../../operator-error.ts'

/** A record of the export. `number` counts records, the header being 1: the row a spreadsheet shows. */
export interface ExportRow {
  number: number
  cells: string[]
}

const longestRecord = 64 * 1024 * 1024

/**
 * The records of a CSV export, the header first, streamed; `.gz` is read as it is. Cells may hold CRLF or a lone CR.
 * Throws an OperatorError of one line when the file is missing, not UTF-8, or not CSV.
 */
export async function* readExport(file: string): AsyncGenerator<ExportRow> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new OperatorError(`${file} does not exist or is not a file: give the path of a CSV export.`)
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  const text = file.endsWith('.gz') ? source.pipe(createGunzip()).on('error', forward) : source
  const decoded = text.pipe(requireUtf8(file))
  const records = decoded.pipe(parse({ bom: true, max_record_size: longestRecord, skip_empty_lines: true }))
  let failure: Error | undefined
  function forward(error: Error) {
    failure = error
    records.destroy(error)
  }
  source.on('error', forward)
  decoded.on('error', forward)
  let number = 0
  try {
    for await (const cells of records as AsyncIterable<string[]>) yield { number: ++number, cells }
  } catch (error) {
    throw explain(failure ?? (error as Error), file, number)
  } finally {
    source.destroy()
  }
}

function explain(error: Error & { code?: string }, file: string, row: number) {
  if (error instanceof OperatorError) return error
  if (error instanceof CsvError) return new OperatorError(`${file} is not CSV: row ${row + 1}: ${reasonOf(error)}.`)
  if (error.code?.startsWith('Z_')) return new OperatorError(`${file} is not a complete gzip file (${error.message}).`)
  return new OperatorError(`${file} cannot be read (${error.message}).`)
}

function reasonOf({ code, message }: CsvError) {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is opened and never closed'
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH' || code === 'CSV_RECORD_INCONSISTENT_COLUMNS') {
    return 'it has another number of cells than the header'
  }
  if (code === 'CSV_MAX_RECORD_SIZE') return `it is longer than ${longestRecord / 1024 / 1024} MB`
  return message.split(/ at line|, got/)[0] ?? message
}

/** Decodes UTF-8; invalid bytes end the stream with an error that names their position. */
function requireUtf8(file: string) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let position = 0
  let isFirst = true
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (isFirst && (chunk[0] === 0xff || chunk[0] === 0xfe)) {
        return done(new OperatorError(`${file} is encoded as UTF-16, not UTF-8: save it as UTF-8.`))
      }
      isFirst = false
      try {
        const text = decoder.decode(chunk, { stream: true })
        position += chunk.length
        done(null, text)
      } catch {
        done(new OperatorError(`${file} is not encoded as UTF-8 (near byte ${position + firstBad(chunk)}): save it as UTF-8.`))
      }
    },
    flush(done) {
      try {
        done(null, decoder.decode())
      } catch {
        done(new OperatorError(`${file} ends in the middle of a UTF-8 character: it is incomplete, or not UTF-8.`))
      }
    },
  })
}

function firstBad(chunk: Buffer) {
  let low = 0
  let high = chunk.length
  while (low < high) {
    const middle = (low + high) >> 1
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(chunk.subarray(0, middle + 1), { stream: true })
      low = middle + 1
    } catch {
      high = middle
    }
  }
  return low
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Jira's dates, `16/Jul/15 06:23`, `16/Jul/15 6:23 AM`, and ISO 8601; UTC where no time zone is given. Undefined for anything else, and for dates
 * that a ticket cannot have: times are seconds since 1970, years have four digits.
 */
export function parseDate(text: string): Date | undefined {
  const date = readDate(text)
  return date && date.getTime() >= 0 && date.getUTCFullYear() <= 9999 ? date : undefined
}

function readDate(text: string): Date | undefined {
  const jira = /^\s*(\d{1,2})\/([A-Za-z]{3})[a-z]*\/(\d{2}|\d{4})(?:[ ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp][Mm])?)?\s*$/.exec(text)
  if (jira) {
    const [, day, monthName = '', yearText = '', hourText = '0', minute = '0', second = '0', half] = jira
    const month = months.indexOf(monthName.toLowerCase())
    const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText)
    const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
    const date = new Date(Date.UTC(year, month, Number(day), hour, Number(minute), Number(second)))
    const isReal = month >= 0 && date.getUTCDate() === Number(day) && hour < 24 && Number(minute) < 60
    return isReal ? date : undefined
  }
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text.trim()) ?? []
  // JavaScript reads February 31 as March 3.
  if (!day || !new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)) return undefined
  const date = new Date(
    /\dT?\d*:\d+.*(Z|[+-]\d{2}:?\d{2})\s*$/.test(text) ? text.trim() : `${text.trim().replace(' ', 'T')}${text.includes(':') ? 'Z' : ''}`,
  )
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** `date;author;text`, as Jira writes a comment. Undefined when the cell is not of this form. */
export function parseComment(cell: string): { at: Date; author: string; text: string } | undefined {
  const match = /^([^;]{6,40});([^;\r\n]{0,200});([\s\S]*)$/.exec(cell)
  const at = match?.[1] === undefined ? undefined : parseDate(match[1])
  return at && match ? { at, author: match[2]?.trim() ?? '', text: match[3] ?? '' } : undefined
}
