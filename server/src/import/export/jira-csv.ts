import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { OperatorError } from '../../operator-error.ts'
import { beginningOf, isGzip, isUtf16, isWorkbook, separatorOf } from './beginning.ts'

/** A record of the export. `number` is the row a spreadsheet shows: blank lines are rows, line breaks within a cell are not. */
export interface ExportRow {
  number: number
  cells: string[]
}

const longestRecord = 64 * 1024 * 1024

/**
 * The records of a CSV export, the header first, streamed; `.gz` is read as it is. Cells may hold CRLF or a lone CR,
 * and are separated by commas, semicolons or tabs.
 * Throws an OperatorError of one line when the file is missing, not UTF-8, or not CSV.
 */
export async function* readExport(file: string): AsyncGenerator<ExportRow> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new OperatorError(`${file} does not exist or is not a file: give the path of a CSV export.`)
  const beginning = await beginningOf(file)
  if (isWorkbook(beginning))
    throw new OperatorError(`${file} is an Excel workbook, not CSV: open it and save it as "CSV UTF-8 (Comma delimited)".`)
  if (isGzip(beginning)) throw new OperatorError(`${file} is a gzip file: rename it so that its name ends with .gz.`)
  if (isUtf16(beginning)) throw new OperatorError(`${file} is encoded as UTF-16, not UTF-8: save it as UTF-8.`)
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  const text = file.endsWith('.gz') ? source.pipe(createGunzip()).on('error', forward) : source
  const decoded = text.pipe(requireUtf8(file))
  let width = 0
  // Typed for records, as csv-parse wants it; it hands on whatever this returns.
  const numbered = (cells: string[], info: Counted) => {
    width ||= cells.length
    return { number: info.records + info.empty_lines, cells } as unknown as string[]
  }
  const options = { bom: true, max_record_size: longestRecord, skip_empty_lines: true, delimiter: separatorOf(beginning) }
  const records = decoded.pipe(parse({ ...options, on_record: numbered }))
  let failure: Error | undefined
  function forward(error: Error) {
    failure = error
    records.destroy(error)
  }
  source.on('error', forward)
  decoded.on('error', forward)
  try {
    for await (const row of records as AsyncIterable<ExportRow>) yield row
  } catch (error) {
    throw explain(failure ?? (error as Error), file, width)
  } finally {
    source.destroy()
  }
}

/** What csv-parse counted before the record at hand. Its `lines` counts a CRLF within a cell twice. */
interface Counted {
  records: number
  empty_lines: number
}

function explain(error: Error & { code?: string }, file: string, width: number) {
  if (error instanceof OperatorError) return error
  if (error instanceof CsvError) {
    const { records, empty_lines } = error as unknown as Counted
    return new OperatorError(`${file} is not CSV: row ${records + empty_lines + 1}: ${reasonOf(error, width)}.`)
  }
  if (error.code?.startsWith('Z_')) return new OperatorError(`${file} is not a complete gzip file (${error.message}).`)
  return new OperatorError(`${file} cannot be read (${error.message}).`)
}

function reasonOf(error: CsvError, width: number) {
  const { column, record } = error as unknown as { column: number; record?: string[] }
  switch (error.code as string) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quotation mark is opened and never closed: close it, or remove it'
    case 'INVALID_OPENING_QUOTE':
      return `cell ${column + 1} holds a quotation mark but does not begin with one: put the cell in quotation marks and double those within it`
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `cell ${column + 1} continues after its closing quotation mark: double the quotation marks within a cell`
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
      return `its number of cells is ${record?.length}, that of the header ${width}: put cells that hold separators in quotation marks`
    case 'CSV_MAX_RECORD_SIZE':
      return `it is longer than ${longestRecord / 1024 / 1024} MB: a quotation mark may be opened and never closed`
    default:
      return error.message
  }
}

/** Decodes UTF-8; invalid bytes end the stream with an error that names their position. */
function requireUtf8(file: string) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let position = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
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
