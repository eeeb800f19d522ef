import * as Type from 'typebox'
import { accept } from '../http/schemas/accept.ts'
import { isKey } from '../storage/names.ts'
import type { Head, Manifest } from './write-backup.ts'

/** What is read is not what a backup contains. */
export class NotAsWritten extends Error {}

const { String: text, Array: list } = Type
// Columns and orders become part of statements: only names as `quote_ident` writes them.
const name = '(?:[a-z_][a-z0-9_]*|"[^"]+")'
const Column = text({ pattern: `^${name}$` })
const Order = text({ pattern: `^${name}(?: collate "C")?(?:, ${name}(?: collate "C")?)*$` })
const FormatForm = Type.Object({ format: Type.Integer(), version: text() })
const HeadForm = Type.Object({
  ...FormatForm.properties,
  createdAt: text(),
  migrations: list(text()),
  tables: list(Type.Object({ name: text(), columns: list(Column), order: Order })),
})
const Contents = {
  tables: list(Type.Object({ name: text(), rows: Type.Integer(), sha256: text() })),
  sequences: list(Type.Object({ name: text(), value: Type.Number(), called: Type.Boolean() })),
}
const ManifestForm = Type.Object({
  ...Contents,
  files: Type.Object({ count: Type.Integer(), bytes: Type.Integer() }),
  lost: Type.Integer(),
})
const ManifestFormOf1 = Type.Object({
  ...Contents,
  files: list(Type.Object({ key: text(), bytes: Type.Integer(), sha256: text() })),
  lost: Type.Optional(list(text())),
})

/** The head, if it is of this format or an earlier one; otherwise only the format and the version that wrote it. */
export function parseHead(content: Buffer, format: number): Pick<Head, 'format' | 'version'> | Head {
  const head = parse<Pick<Head, 'format' | 'version'>>('head.json', content, FormatForm)
  const isKnown = head.format >= 1 && head.format <= format
  return isKnown ? parse<Head>('head.json', content, HeadForm) : { format: head.format, version: head.version }
}

/** Its tables are those of the head, and maybe fewer. */
export function parseManifest(content: Buffer, { format, tables }: Head): Manifest {
  const manifest = format === 1 ? manifestOf1(content) : parse<Manifest>('manifest.json', content, ManifestForm)
  if (manifest.tables.every(({ name }) => tables.some(table => table.name === name))) return manifest
  throw new NotAsWritten('manifest.json names a table that head.json lacks')
}

/** Format 1 listed all files. */
function manifestOf1(content: Buffer): Manifest {
  const { files, lost = [], ...rest } = parse<Type.Static<typeof ManifestFormOf1>>('manifest.json', content, ManifestFormOf1)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return { ...rest, files: { count: files.length, bytes }, lost: lost.length, lostKeys: lost }
}

/** The key of an attachment, from the name of an entry such as `files/<key>`. */
export function requireKeyOf(name: string) {
  const key = name.slice(name.indexOf('/') + 1)
  if (!isKey(key)) throw new NotAsWritten(`${JSON.stringify(name)} is not the file of an attachment`)
  return key
}

function parse<T>(name: string, content: Buffer, form: Type.TSchema): T {
  try {
    const parsed = accept(form, JSON.parse(content.toString('utf8')))
    if (parsed !== undefined) return parsed as T
  } catch {}
  throw new NotAsWritten(`${name} is not what Tessera writes`)
}
