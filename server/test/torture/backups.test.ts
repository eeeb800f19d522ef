import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '../../src/db/connections/connect.ts'
import { temporaryDirectory } from '../postgres/embedded.ts'
import { tessera } from '../servers/command.ts'
import { auditor } from './tools/audit.ts'
import { startLoad } from './tools/load.ts'
import { hire, median, rounds, startProduct } from './tools/product.ts'

const keep = 7

test('night after night under load: each backup is made by itself, restored and compared; the last one holds all that was acknowledged before it', {
  tags: ['long'],
  timeout: 4 * 3_600_000,
}, async () => {
  const nights = rounds(1)
  const settings = { TESSERA_BACKUP: '1', TESSERA_BACKUP_KEEP: String(keep) }
  await using product = await startProduct({ settings })
  const staff = await hire(product.address, product.connection(), 2)
  const load = await startLoad(staff, { goesOnAfterErrors: true })
  let before: typeof load.acknowledged = []
  let last = { location: '', bytes: 0 }
  const took: number[] = []
  const end = load.begin()
  for (let night = 1; night <= nights; night++) {
    await load.untilAcknowledged(50)
    const db = connect(product.connection(), { poolSize: 1 })
    // A day passes while the server is down: it makes the missed backup as soon as it runs.
    await sql`update installation set created_at = created_at - interval '1 day'`.execute(db)
    await sql`
      update backup_run set started_at = started_at - interval '1 day', finished_at = finished_at - interval '1 day',
        proven_at = proven_at - interval '1 day'`.execute(db)
    await db.destroy()
    before = load.acknowledged.filter(({ kind }) => kind !== 'mail')
    await product.killAndRestart()
    const run = await finishedRun(night)
    expect(run).toEqual({
      error: null,
      proven: true,
      location: expect.any(String),
      bytes: expect.any(Number),
      milliseconds: expect.any(Number),
    })
    expect(statSync(run.location).size).toBe(run.bytes)
    const metrics = await (await fetch(`${product.address()}/metrics`)).text()
    const [, proven] = /^tessera_backup_timestamp_seconds\{[^}]*proven[^}]*\} (\S+)$/m.exec(metrics) ?? []
    expect(Math.abs(Number(proven) - Date.now() / 1000), 'when /metrics says that it was proven').toBeLessThan(120)
    took.push(run.milliseconds)
    last = run
  }
  await end()
  const folder = path.join(product.data, 'backups')
  expect(readdirSync(folder).filter(name => !name.endsWith('.tar.gz'))).toEqual([])
  expect(readdirSync(folder)).toHaveLength(Math.min(keep, nights))

  const place = temporaryDirectory()
  const restored = await tessera({ TESSERA_DATA: place }, 'restore', last.location)
  expect(restored, restored.output).toMatchObject({ code: 0 })
  await using copy = await startProduct({ folder: place })
  const audit = auditor(staff, { ...load, acknowledged: before }, place, copy.connection)
  expect(await audit.lost(true)).toEqual([])
  expect(await audit.torn()).toEqual([])
  console.log(
    `backups: ${took.length} of ${nights} nights made and proven by a restore, ${median(took)} ms each, the last of ${Math.round(last.bytes / 1024)} kB; ` +
      `restored whole, with all ${before.length} of what was acknowledged before it`,
  )

  /** The run of the night, when it has ended; there must be one of each night. */
  async function finishedRun(count: number, timeout = 120_000) {
    for (const until = performance.now() + timeout; ; await sleep(50)) {
      const db = connect(product.connection(), { poolSize: 1 })
      const { rows } = await sql<{ error: string | null; proven: boolean; location: string; bytes: number; milliseconds: number }>`
        select error, proven_at is not null as proven, location, bytes,
          (extract(epoch from coalesce(proven_at, finished_at) - started_at) * 1000)::int as milliseconds
        from backup_run where proven_at is not null or error is not null order by id`.execute(db)
      await db.destroy()
      const run = rows[count - 1]
      if (run) {
        expect(rows).toHaveLength(count)
        return run
      }
      expect(performance.now(), `no backup of night ${count}`).toBeLessThan(until)
    }
  }
})
