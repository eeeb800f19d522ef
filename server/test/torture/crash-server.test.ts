import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { auditor } from './tools/audit.ts'
import { startLoad } from './tools/load.ts'
import { mailsTo } from './tools/mails.ts'
import { hire, median, rounds, startProduct, within } from './tools/product.ts'

test('kill -9 of the server while eight people write: nothing acknowledged is lost, nothing is torn, it serves again within 10 s', {
  timeout: 4 * 3_600_000,
}, async () => {
  await using product = await startProduct()
  const staff = await hire(product.address, product.connection(), 8)
  const load = await startLoad(staff)
  const audit = auditor(staff, load, product.data, product.connection)
  const kills = rounds(1)
  const back: number[] = []
  for (let kill = 1; kill <= kills; kill++) {
    const end = load.begin()
    await load.untilAcknowledged(10)
    await sleep(Math.random() * 150)
    const killed = product.killAndRestart()
    await end()
    back.push(await killed)
    expect(await audit.lost(kill === kills)).toEqual([])
    if (kill % 10 === 0 || kill === kills) expect(await audit.torn()).toEqual([])
  }
  const mails = [...mailsTo(product.data).values()]
  const twice = mails.reduce((sum, count) => sum + count - 1, 0)
  console.log(
    `crash-server: ${kills} kills, ${load.acknowledged.length} acknowledged writes, 0 lost, 0 torn; ` +
      `ready again after ${median(back)} ms (median), ${Math.max(...back)} ms (worst); ${mails.length} mails left, ${twice} twice`,
  )
  expect(Math.max(...back)).toBeLessThan(within(10_000))
  expect(twice).toBeLessThanOrEqual(kills)
  expect(load.refused.filter(({ status }) => status !== 0)).toEqual([])
})
