import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { createNewTicket, getTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '../../src/db/connections/connect.ts'
import { jpeg } from '../fixtures/pictures.ts'
import { isRoot, temporaryDirectory } from '../postgres/embedded.ts'
import { startProcess } from '../servers/process.ts'
import { fieldPart, filePart } from '../servers/upload.ts'
import { auditor } from './tools/audit.ts'
import { startLoad } from './tools/load.ts'
import { type Browser, hire, rounds, startProduct, untilReady, within } from './tools/product.ts'

/** A disk of so many MB at the folder; null where this user may not mount one. */
function smallDisk(folder: string, megabytes: number) {
  mkdirSync(folder)
  const mounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]).status === 0
  if (!mounted) return null
  return {
    /** Leaves this much free, or what `files` says of so many new files; all of it again without either. */
    leave(free: { megabytes?: number; files?: number } = {}) {
      // What others write meanwhile makes the system refuse a size below what is used.
      for (let attempt = 0; ; attempt++) {
        const { blocks, bfree, bsize, files, ffree } = statfsSync(folder)
        const size = free.megabytes === undefined ? megabytes * 2 ** 20 : (blocks - bfree) * bsize + free.megabytes * 2 ** 20
        const inodes = free.files === undefined ? 100_000 : files - ffree + free.files
        const options = `remount,size=${Math.ceil(size / 4096) * 4096},nr_inodes=${inodes}`
        const { status, stderr } = spawnSync('mount', ['-o', options, folder], { encoding: 'utf8' })
        if (status === 0) return
        if (attempt === 20) throw new Error(stderr)
      }
    },
    [Symbol.dispose]: () => void spawnSync('umount', ['-l', folder]),
  }
}
const needsMount = 'needs the right to mount a small file system: root, outside most containers'

test('a full disk: reads go on, writes are refused clearly, nothing acknowledged is lost, and writes work again when there is space', {
  tags: ['long'],
  timeout: 4 * 3_600_000,
}, async ({ skip }) => {
  const place = temporaryDirectory()
  chmodSync(place, 0o755)
  const folder = path.join(place, 'disk')
  using disk = smallDisk(folder, 200)
  if (!disk) return skip(needsMount)
  const settings = { TESSERA_STORAGE: `file://${place}/attachments` }
  await using product = await startProduct({ folder, settings })
  const staff = await hire(product.address, product.connection(), 8)
  const load = await startLoad(staff, { goesOnAfterErrors: true, kinds: 4 })
  const audit = auditor(staff, load, place, product.connection)
  const [reader] = staff.people as [Browser]
  const ballast = path.join(folder, 'ballast')
  const times = rounds(1)
  const back: number[] = []
  let reads = 0
  for (let time = 0; time < times; time++) {
    const end = load.begin()
    await load.untilAcknowledged(20)
    const idTicket = (load.acknowledged.find(({ kind }) => kind === 'create') as { idTicket: number }).idTicket
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 3 * 2 ** 20)))
    const refusedBefore = load.refused.length
    // Long texts fill what is left.
    const fill = setInterval(() => void reader.post(setTicketComment, { idTicket, Comment: 'x'.repeat(60_000) }), 20)
    for (const until = performance.now() + 60_000; load.refused.length < refusedBefore + 50; await sleep(20)) {
      expect(performance.now(), 'the disk does not fill').toBeLessThan(until)
    }
    for (let read = 0; read < 50; read++) {
      const { status, milliseconds } = await reader.post(getTicketData, { idTicket })
      expect({ status, isQuick: milliseconds < within(10_000) }).toEqual({ status: 200, isQuick: true })
      reads++
    }
    clearInterval(fill)
    rmSync(ballast)
    const started = performance.now()
    await load.untilAcknowledged(10)
    back.push(Math.round(performance.now() - started))
    await untilReady(product.address())
    await end()
    expect(await audit.lost(true)).toEqual([])
    expect(await audit.torn()).toEqual([])
  }
  console.log(
    `disk-full: ${times} × full; ${reads} reads while it was, all answered; ${load.refused.length} writes refused, ` +
      `${load.acknowledged.length} acknowledged, 0 lost, 0 torn; writes again ${Math.max(...back)} ms after there was space`,
  )
  expect(load.refused.filter(({ status }) => status !== 503 && status !== 422)).toEqual([])
})

const picture = jpeg({ after: Buffer.from(`${'x'.repeat(300_000)}\xff\xd9`, 'latin1') })

/** Bytes that `slowUpload` sends before it fills the disk. */
const firstPiece = 100_000

/** An upload whose rest is sent after `fill` has run. */
async function slowUpload(person: Browser, idTicket: number, fill: () => Promise<void>) {
  const between = Buffer.from('--slow\r\n')
  const form = Buffer.concat([
    ...[between, fieldPart('idTicket', String(idTicket)), Buffer.from('\r\n'), between, filePart('slow.jpg', picture)],
    Buffer.from('\r\n--slow--\r\n'),
  ])
  const pieces = async function* () {
    yield form.subarray(0, firstPiece)
    await fill()
    yield form.subarray(firstPiece)
  }
  const init = { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=slow' }, body: ReadableStream.from(pieces()) }
  return person.send(attachmentUpload.path, { ...init, duplex: 'half' } as RequestInit & { headers: Record<string, string> })
}

test('a disk that is too small for a new database is refused before anything is made', async ({ skip }) => {
  const folder = path.join(temporaryDirectory(), 'disk')
  using disk = smallDisk(folder, 40)
  if (!disk) return skip(needsMount)
  const { code, output } = await startProcess({ TESSERA_DATA: path.join(folder, 'data') }).finished
  expect([code, output]).toEqual([
    1,
    `TESSERA_DATA: for a new database, 134 MB must be free at ${folder}, and 42 MB are: make room there.\n`,
  ])
  expect(readdirSync(folder)).toEqual([])
})

test('a full disk of the attachments: uploads are refused clearly and leave nothing behind, everything else goes on', {
  tags: ['long'],
  timeout: 4 * 3_600_000,
}, async ({ skip }) => {
  const place = temporaryDirectory()
  const folder = path.join(place, 'attachments')
  using disk = smallDisk(folder, 2500)
  if (!disk) return skip(needsMount)
  // Full before the storage was ever used: it must be as new when there is space.
  const ballast = path.join(folder, 'ballast')
  writeFileSync(ballast, 'x')
  disk.leave({ megabytes: 0 })
  await using product = await startProduct({ folder: place })
  const staff = await hire(product.address, product.connection(), 4)
  const [person] = staff.people as [Browser]
  const { projectId, templates } = staff.project
  const made = await person.post(createNewTicket, { idProject: projectId, idTemplate: templates.bug, Title: 'For files' })
  const idTicket = (made.body as number[])[0] as number
  const upload = () => person.upload(attachmentUpload.path, idTicket, 'picture.jpg', picture)
  const arriving = () => readdirSync(path.join(folder, 'incoming'))
  /** Whether a file as large as the first piece of `slowUpload` is there: the files of the load are smaller. */
  const isArriving = () =>
    arriving().some(name => (statSync(path.join(folder, 'incoming', name), { throwIfNoEntry: false })?.size ?? 0) > firstPiece / 2)
  const expectRefused = (answer: { status: number; body: unknown; retryAfter: string | null }, words: string) =>
    expect(answer).toMatchObject({ status: 503, retryAfter: '5', body: { code: 'unavailable', error: words } })
  const tooLittle = 'The server has too little free disk space for attachments'
  const full = 'The storage of attachments is full'

  expect((await upload()).status).toBe(503)
  disk.leave()
  rmSync(ballast)
  expect((await upload()).status).toBe(200)
  expect(readFileSync(path.join(folder, 'storage-id'), 'utf8')).toMatch(/^[0-9a-f-]{36}\n/)

  const load = await startLoad(staff, { goesOnAfterErrors: true })
  const audit = auditor(staff, load, place, product.connection)
  const others = () => load.acknowledged.filter(({ kind }) => kind !== 'upload').length
  let refused = 0
  let written = 0
  for (let time = 0; time < rounds(1); time++) {
    const end = load.begin()
    await load.untilAcknowledged(20)
    const before = others()

    disk.leave({ megabytes: 500 })
    expectRefused(await upload(), tooLittle)
    await load.untilAcknowledged(20)

    disk.leave()
    const midway = await slowUpload(person, idTicket, async () => {
      for (const until = performance.now() + within(10_000); !isArriving(); await sleep(2))
        expect(performance.now(), 'no file arrives').toBeLessThan(until)
      disk.leave({ megabytes: 0 })
    })
    expectRefused(midway, full)
    await load.untilAcknowledged(20)

    // Bytes enough, but not one more file: the first that arrives finds no place for its folder.
    disk.leave({ files: 1 })
    expectRefused(await upload(), full)
    expectRefused(await upload(), full)
    await load.untilAcknowledged(20)

    disk.leave()
    expect((await upload()).status).toBe(200)
    await end()
    refused += 4
    written += others() - before
    expect(await audit.lost(true)).toEqual([])
    expect(await audit.torn()).toEqual([])
    expect(arriving()).toEqual([])
  }
  // Only uploads were refused, each with a message.
  const reasons = new Set(load.refused.map(({ status, error }) => `${status} ${(JSON.parse(error) as { error: string }).error}`))
  expect([...reasons].filter(reason => reason !== `503 ${tooLittle}` && reason !== `503 ${full}`)).toEqual([])
  const db = connect(product.connection(), { poolSize: 1 })
  const { rows } = await sql<{ files: string[]; right: boolean }>`
    select array_agg(storage_key) as files, sum(bytes) = (select attachment_bytes from organization where id = ${staff.organization}) as right
    from attachment where organization_id = ${staff.organization}`.execute(db)
  await db.destroy()
  expect(rows[0]?.right).toBe(true)
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile() && entry.name !== 'storage-id')
  expect(kept.map(entry => path.relative(folder, path.join(entry.parentPath, entry.name))).sort()).toEqual(rows[0]?.files.sort())
  console.log(
    `disk-full: attachments' own disk ${rounds(1)} × full in three ways; ${refused + load.refused.length} uploads refused with 503, ` +
      `${written} other writes meanwhile, all taken; no row without file, no file without row, nothing half received`,
  )
})
