import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { emptyDatabase, filled } from '../../test/fixtures/backed-up.ts'
import { temporaryDirectory } from '../../test/postgres/embedded.ts'
import { lockWaits } from '../../test/postgres/lock-waits.ts'
import { tessera } from '../../test/servers/command.ts'
import { addressOf, startProcess } from '../../test/servers/process.ts'
import { startServer } from '../../test/servers/server.ts'
import { createArchive, readArchive } from './archive.ts'
import { proveBackup } from './prove-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { type Manifest, writeBackup } from './write-backup.ts'

// Some tests start whole processes, on busy machines.
vi.setConfig({ testTimeout: 120_000 })

test('a damaged, truncated or foreign file is refused in one line and leaves the database empty', { tags: ['long'] }, async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const folder = temporaryDirectory()
  const good = path.join(folder, 'good.tar.gz')
  await writeBackup(context.connection, context.storage, good)
  const cut = path.join(folder, 'cut.tar.gz')
  copyFileSync(good, cut)
  truncateSync(cut, Math.floor(statSync(good).size / 2))
  const flipped = path.join(folder, 'flipped.tar.gz')
  const bytes = readFileSync(good)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
  writeFileSync(flipped, bytes)
  // A damaged row: its first byte follows the 512-byte header with the name of its file.
  const garbled = path.join(folder, 'garbled.tar.gz')
  const archive = gunzipSync(readFileSync(good))
  archive[archive.indexOf('tables/organization/') + 512] = 'x'.charCodeAt(0)
  writeFileSync(garbled, gzipSync(archive))
  // A header whose size is not a number.
  const sized = path.join(folder, 'sized.tar.gz')
  const header = gunzipSync(readFileSync(good))
  header[header.indexOf('tables/organization/') + 124] = 0x90
  writeFileSync(sized, gzipSync(header))
  const foreign = path.join(folder, 'foreign.tar.gz')
  writeFileSync(foreign, 'not an archive')
  const { db, url } = await emptyDatabase()
  for (const file of [cut, flipped, garbled, sized, foreign]) {
    const { code, output } = await tessera({ DATABASE_URL: url, TESSERA_DATA: path.join(folder, 'data') }, 'restore', file)
    expect([code, output.trim().split('\n').length, output]).toEqual([
      1,
      1,
      expect.stringMatching(/damaged|no backup|digest|does not have/),
    ])
    const { rows } = await sql<{ there: boolean }>`select to_regclass('public.user_account') is not null as there`.execute(db)
    if (rows[0]?.there) expect((await sql`select 1 from user_account`.execute(db)).rows).toEqual([])
  }
  const attachments = path.join(folder, 'data/attachments')
  const left = existsSync(attachments) ? readdirSync(attachments, { recursive: true, withFileTypes: true }) : []
  // A folder may stay, no file of the backup does.
  expect(left.filter(entry => entry.isFile()).map(({ name }) => name)).toEqual([])
})

test('a backup that cannot be read is called neither damaged nor missing', async () => {
  const folder = temporaryDirectory()
  await expect(readArchive(folder).next()).rejects.toThrow(`${folder} cannot be read (EISDIR`)
  const loop = path.join(folder, 'loop')
  symlinkSync(loop, loop)
  expect(await tessera({}, 'restore', loop)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^A file cannot be read or written \(ELOOP[^\n]*\n$/),
  })
})

test('a backup that two signals interrupt, as from a terminal and from npm, says so and leaves no partial file', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const folder = temporaryDirectory()
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: context.config.data }
  await using run = await context.db.transaction().execute(async held => {
    // The backup waits for this table.
    await sql`lock table organization`.execute(held)
    const started = startProcess(settings, ['backup', '--to', path.join(folder, 'b.tar.gz')], [process.execPath, 'server/src/cli.ts'])
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    expect(readdirSync(folder)).toEqual(['b.tar.gz.partial'])
    started.child.kill('SIGTERM')
    // Two that come at the same moment count as one.
    await setTimeout(100)
    started.child.kill('SIGTERM')
    await setTimeout(100)
    return started
  })
  expect(await run.finished).toMatchObject({ code: 1, output: 'The backup was interrupted.\n' })
  expect(readdirSync(folder).filter(name => name.endsWith('.partial'))).toEqual([])
})

test('a flipped bit, or a row that PostgreSQL refuses while others are in flight, is reported in one line', {
  tags: ['long'],
}, async () => {
  await using server = await startServer()
  const { context, organizationId, project } = await filled(server)
  await server.sql`
    insert into label (organization_id, project_id, name, color)
    select ${organizationId}, ${project.projectId}, md5(n::text) || md5('more ' || n), '#ff0000' from generate_series(1, 30000) n`
  const folder = temporaryDirectory()
  const good = path.join(folder, 'good.tar.gz')
  await writeBackup(context.connection, context.storage, good)
  const bytes = readFileSync(good)
  const damaged: Record<string, Uint8Array> = {}
  for (const place of [0.2, 0.5, 0.8]) {
    const at = Math.floor(bytes.length * place)
    damaged[`flipped at ${at}`] = bytes.with(at, (bytes[at] ?? 0) ^ 0x10)
  }
  const archive = gunzipSync(bytes)
  archive[archive.indexOf('tables/label/') + 512] = 'x'.charCodeAt(0)
  damaged['first of many rows'] = gzipSync(archive)
  const file = path.join(folder, 'damaged.tar.gz')
  for (const [what, content] of Object.entries(damaged)) {
    writeFileSync(file, content)
    await expect(proveBackup(file, context.connection), what).rejects.toThrow(
      new RegExp(`^${file} is damaged or not a backup \\(.*\\)\\.$`),
    )
  }
})

test('proof and restore report a tampered header or manifest, or a name that is no key, in one line', { tags: ['long'] }, async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const folder = temporaryDirectory()
  const good = path.join(folder, 'good.tar.gz')
  await writeBackup(context.connection, context.storage, good)
  const head = (change: (table: { columns: string[]; order: string }) => void) => (bytes: Buffer) => {
    const parsed = JSON.parse(bytes.toString())
    change(parsed.tables[0])
    return Buffer.from(JSON.stringify(parsed))
  }
  const manifest = (change: (manifest: Manifest) => void) => (bytes: Buffer) => {
    const parsed = JSON.parse(bytes.toString()) as Manifest
    change(parsed)
    return Buffer.from(JSON.stringify(parsed))
  }
  const tampered: Record<string, [entry: string, change: ((bytes: Buffer) => Buffer) | null, extra?: string]> = {
    'head without anything': ['head.json', () => Buffer.from('{"format":1}')],
    'head with a statement as order': ['head.json', head(table => (table.order = 'id; drop table ticket'))],
    'head with a statement as column': ['head.json', head(table => (table.columns[0] = 'id) from stdin; drop table ticket'))],
    'head null': ['head.json', () => Buffer.from('null')],
    'manifest without anything': ['manifest.json', () => Buffer.from('{}')],
    'table that the head lacks': ['manifest.json', manifest(({ tables }) => tables.push({ name: 'stray', rows: 0, sha256: '' }))],
    'no manifest': ['manifest.json', null],
    'rows of a table that the head lacks': ['', bytes => bytes, 'tables/stray/000001.copy'],
    'file outside of the storage': ['', bytes => bytes, 'files/../../../evil'],
  }
  for (const [what, [entry, change, extra]] of Object.entries(tampered)) {
    const file = path.join(folder, `${what}.tar.gz`)
    const archive = createArchive(file)
    for await (const { name, content } of readArchive(good)) {
      if (name === 'manifest.json' && extra !== undefined) await archive.add(extra, Buffer.from('evil'))
      const bytes = await buffer(content)
      const changed = name === entry ? change?.(bytes) : bytes
      if (changed) await archive.add(name, changed)
    }
    await archive.finish()
    const line = new RegExp(`^${file} is damaged or not a backup \\(.*\\)\\.$`)
    await expect(proveBackup(file, context.connection), what).rejects.toThrow(line)
    if (extra === undefined) continue
    const { url } = await emptyDatabase()
    const restored: string[] = []
    const restore = restoreBackup(file, { connectionString: url }, async (key, _size, content) => {
      await buffer(content)
      restored.push(key)
    })
    await expect(restore, what).rejects.toThrow(line)
    expect(restored).not.toContain(extra.slice('files/'.length))
  }
})

test('a backup of a later format is said to be of a newer version, whatever else it contains', async () => {
  await using server = await startServer()
  const { context } = await filled(server)
  const folder = temporaryDirectory()
  const good = path.join(folder, 'good.tar.gz')
  await writeBackup(context.connection, context.storage, good)
  // A newer format, or one more migration.
  for (const change of [() => ({ format: 3 }), (names: string[]) => ({ migrations: [...names, '9999-later.sql'] })]) {
    const file = path.join(folder, 'later.tar.gz')
    const later = createArchive(file)
    for await (const { name, content } of readArchive(good)) {
      const bytes = await buffer(content)
      const head = name === 'head.json' && JSON.parse(bytes.toString())
      await later.add(name, head ? Buffer.from(JSON.stringify({ ...head, ...change(head.migrations), version: '9.0.0' })) : bytes)
    }
    await later.finish()
    await expect(proveBackup(file, context.connection)).rejects.toThrow(
      'was made by Tessera 9.0.0, which is newer than this program: install that version first.',
    )
  }
})

test('the bytes of a backup are on the disk before it gets its name, and so is the name before it counts as written', async () => {
  const folder = temporaryDirectory()
  const handle = await open(folder)
  await handle.close()
  const synced: string[][] = []
  const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async () => void synced.push(readdirSync(folder)))
  const archive = createArchive(path.join(folder, 'a.tar.gz'))
  await archive.add('head.json', Buffer.from('{}'))
  await archive.finish().finally(() => sync.mockRestore())
  expect(synced).toEqual([['a.tar.gz.partial'], ['a.tar.gz']])
})
