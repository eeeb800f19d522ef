import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setTicketComment } from '@tessera/contract/comments'
import { getTicketData } from '@tessera/contract/tickets'
import { expect, test } from 'vitest'
import { isRoot, temporaryDirectory } from '../embedded.ts'
import { auditor, startLoad } from './load.ts'
import { type Browser, hire, rounds, startProduct, untilReady, within } from './product.ts'

/** A disk of so many MB at the folder; null where this user may not mount one. */
function smallDisk(folder: string, megabytes: number) {
  mkdirSync(folder)
  const mounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]).status === 0
  if (!mounted) return null
  return { [Symbol.dispose]: () => void spawnSync('umount', ['-l', folder]) }
}

test('a full disk: reads go on, writes are refused clearly, nothing acknowledged is lost, and all is well when there is space', {
  timeout: 4 * 3_600_000,
}, async ({ skip }) => {
  const place = temporaryDirectory()
  chmodSync(place, 0o755)
  const folder = path.join(place, 'disk')
  using disk = smallDisk(folder, 200)
  if (!disk) return skip('needs the right to mount a small file system: root, outside most containers')
  const settings = { TESSERA_STORAGE: `file://${place}/attachments` }
  await using product = await startProduct({ folder, settings })
  const staff = await hire(product.address, product.connection(), 8)
  const load = await startLoad(staff, { isPatient: true, kinds: 4 })
  const audit = auditor(staff, load, folder, product.connection)
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
