import { createHash } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { filled } from '../../../test/fixtures/backed-up.ts'
import { temporaryDirectory } from '../../../test/postgres/embedded.ts'
import { startServer } from '../../../test/servers/server.ts'
import { openClient } from '../database/tables.ts'
import { proveBackup } from '../prove-backup.ts'
import { writeBackup } from '../write-backup.ts'
import { compareFiles } from './compare-files.ts'

test('each attachment of an archive has its file, or is named as lost', async () => {
  await using server = await startServer()
  const { context, keys } = await filled(server)
  const [first, second] = keys as [string, string]
  const [one, other] = ['a picture', 'x'.repeat(200_000)]
  const client = await openClient(context.connection)
  /** Reads files with these contents; null stands for an entry that names one as lost. */
  const compare = async (format: number, entries: [key: string, content: string | null][], lostKeys: string[] = []) => {
    await client.query('begin')
    try {
      const comparison = await compareFiles(client, format)
      for (const [key, content] of entries) {
        if (content === null) await comparison.addLost(key)
        else await comparison.addFile(key, async () => createHash('sha256').update(content).digest())
      }
      await comparison.end({ tables: [], sequences: [], files: { count: 2 - lostKeys.length, bytes: 0 }, lost: lostKeys.length, lostKeys })
      return 'right'
    } catch (error) {
      return (error as Error).message
    } finally {
      await client.query('rollback')
    }
  }
  const isWrong = (key: string) => `its file ${key} is missing or damaged`
  const whole: [string, string][] = [
    [first, one],
    [second, other],
  ]
  for (const format of [1, 2]) {
    expect(await compare(format, whole)).toBe('right')
    expect(await compare(format, whole.slice(0, 1))).toBe(isWrong(second))
    expect(await compare(format, whole.slice(1))).toBe(isWrong(first))
    expect(await compare(format, [[first, 'A picture'], whole[1] as [string, string]])).toBe(isWrong(first))
    expect(await compare(format, [whole[0] as [string, string], [second, 'x']])).toBe(isWrong(second))
    expect(await compare(format, [...whole, whole[0] as [string, string]])).toBe(`its file ${first} belongs to no attachment`)
  }
  expect(await compare(2, [...whole].reverse())).toBe(isWrong(first))
  const isCounted = 'it has 1 files of attachments instead of 2'
  expect(await compare(2, [[first, null], whole[1] as [string, string]])).toBe(isCounted)
  expect(await compare(2, [[first, 'A picture'], [first, null], whole[1] as [string, string]])).toBe(isCounted)
  expect(await compare(1, [[first, 'A picture'], whole[1] as [string, string]], [first])).toBe('right')
  expect(await compare(1, whole.slice(0, 1), [second])).toBe('right')
  // A file that is longer than its row says is named as lost, and in the archive as far as the row says.
  expect(await compare(1, whole, [first])).toBe('right')
  expect(await compare(2, [whole[0] as [string, string], [first, null], whole[1] as [string, string]])).toBe(
    'it has 1 files of attachments instead of 2',
  )
  await client.end()
})

test('attachments of many pages are backed up and proven, lost ones among them', async () => {
  await using server = await startServer()
  const { context, keys, organizationId, parentId } = await filled(server)
  await server.sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    select ${organizationId}::bigint, ${parentId}::bigint, 'lost.jpg', 'image/jpeg', 1, '', ${organizationId} || '/aa/bb/' || gen_random_uuid()
    from generate_series(1, 2500)`
  // Its row is behind the others now.
  await server.sql`update attachment set name = 'photo.jpg' where organization_id = ${organizationId} and storage_key = ${keys[0]}`
  writeFileSync(path.join(context.config.data, 'attachments', keys[0] ?? ''), 'a scribble')
  const file = path.join(temporaryDirectory(), 'b.tar.gz')
  const { files, lost } = await writeBackup(context.connection, context.storage, file)
  expect({ files, lost }).toEqual({
    files: { count: 1, bytes: 200_000 },
    lost: { count: 2501, names: [`photo.jpg (${keys[0]})`, ...Array.from({ length: 4 }, () => expect.stringMatching(/^lost\.jpg \(/))] },
  })
  expect(await proveBackup(file, context.connection)).toMatchObject({ files: 1 })
})

test('a file that has grown, or cannot be read to its end, is named as damaged, and the backup is proven', async () => {
  await using server = await startServer()
  const { context, keys } = await filled(server)
  const isLost = async (...lost: string[]) => {
    const file = path.join(temporaryDirectory(), 'b.tar.gz')
    const written = await writeBackup(context.connection, context.storage, file)
    expect(written.lost).toEqual({ count: lost.length, names: lost.map(key => `picture.jpg (${key})`) })
    expect(await proveBackup(file, context.connection)).toMatchObject({ files: keys.length - lost.length })
  }
  const { storage } = context
  const { read } = storage
  const [first, second] = keys as [string, string]
  storage.read = async key => {
    async function* broken() {
      yield Buffer.from('xx')
      throw new Error('EIO')
    }
    return key === second ? Readable.from(broken()) : await read.call(storage, key)
  }
  await isLost(second)
  storage.read = read
  for (const key of keys) appendFileSync(path.join(context.config.data, 'attachments', key), 'more')
  await isLost(first, second)
})
