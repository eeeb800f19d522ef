import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { planImport } from './export/plan.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tessera-reading-'))
afterAll(() => rmSync(folder, { recursive: true }))

function sample(name: string, content: string | Buffer) {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

const lines = (separator: string) =>
  [
    ['Summary', 'Issue key', 'Issue Type', 'Status', 'Labels', 'Custom field (A, B; C)'],
    ['"says ""a, b; c\t"""', 'S-1', 'Bug', 'Open', 'red', ''],
    ['"x\r\ny"', 'S-2', 'Bug', 'Done', '', 'z'],
  ]
    .map(cells => cells.map(cell => (cell.includes(separator) && !cell.startsWith('"') ? `"${cell}"` : cell)).join(separator))
    .join('\r\n')

test.each([
  ['commas', ','],
  ['semicolons', ';'],
  ['tabs', '\t'],
])('an export that a spreadsheet saved with %s is read as well', async (name, separator) => {
  const text = lines(separator)
  const files = [
    sample(`${name}.csv`, text),
    sample(`${name}-bom.csv`, `\ufeff${text}`),
    sample(`${name}-blank.csv`, `\ufeff\r\n${text}`),
    sample(`${name}.csv.gz`, gzipSync(text)),
  ]
  for (const file of files) {
    const plan = await planImport(file, { also: ['Custom field (A, B; C)'] })
    expect(plan.tickets.map(({ externalId }) => externalId)).toEqual(['S-1', 'S-2'])
    expect(plan.statuses.map(({ name }) => name)).toEqual(['Open', 'Done'])
    expect(plan.problems).toEqual([])
  }
})

test('columns that are missing are named, whatever separates the others', async () => {
  await expect(planImport(sample('lacking.csv', 'Summary;Issue key;Status\na;b;c'))).rejects.toThrow('lacks the column Issue Type:')
})

test.each([
  ['of today', 'PK\u0003\u0004\u0014\u0000'],
  ['of Excel 2003', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1'],
])('an Excel workbook %s is refused with what to do', async (_, content) => {
  const message = 'is an Excel workbook, not CSV: open it and save it as "CSV UTF-8 (Comma delimited)".'
  for (const name of ['export.xlsx', 'export.csv'])
    await expect(planImport(sample(name, Buffer.from(content, 'latin1')))).rejects.toThrow(message)
})

test('a wrong column names the option that named it', async () => {
  const file = sample('columns.csv', lines(','))
  await expect(planImport(file, { also: ['Nope'], only: ['Labels'] })).rejects.toThrow(/^--field: .* has no column "Nope"\.$/)
  await expect(planImport(file, { also: ['Labels'], only: ['Nope'] })).rejects.toThrow(/^--only-field: .* has no column "Nope"\.$/)
})

test.each([
  ['a gzip file by another name', gzipSync(lines(',')), 'is a gzip file: rename it so that its name ends with .gz.'],
  ['UTF-16 without a mark, little end first', Buffer.from(lines(','), 'utf16le'), 'is encoded as UTF-16, not UTF-8: save it as UTF-8.'],
  [
    'UTF-16 without a mark, big end first',
    Buffer.from(lines(','), 'utf16le').swap16(),
    'is encoded as UTF-16, not UTF-8: save it as UTF-8.',
  ],
])('%s is refused with what to do', async (_, content, message) => {
  await expect(planImport(sample('strange.csv', content))).rejects.toThrow(message)
})
