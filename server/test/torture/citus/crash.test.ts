import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { Connection } from '../../../src/db/embedded/connection.ts'
import { createCitusDatabase } from '../../postgres/citus.ts'
import { dropDatabase, runOn } from '../../postgres/databases.ts'
import { tessera } from '../../servers/command.ts'
import { startProcess, temporaryDirectory } from '../../servers/process.ts'
import { auditor } from '../tools/audit.ts'
import { type Load, startLoad } from '../tools/load.ts'
import { hire, rounds } from '../tools/product.ts'
import { citusIfAsked } from './asked.ts'

// A worker of a Citus cluster is killed under load again and again, with `npm run torture:citus-crash`.

const citus = citusIfAsked('citus-crash')
afterAll(() => citus?.stop())

test.skipIf(!citus?.crash)(
  'a worker that is killed under load costs its organizations a few seconds, every refusal is a 503, and nothing acknowledged is lost',
  { timeout: 3_600_000 },
  async () => {
    if (!citus?.crash) return
    const [coordinator, ...workers] = citus.servers
    const name = `tessera_${randomUUID().replaceAll('-', '').slice(0, 12)}`
    const connection = { ...coordinator, database: name }
    using place = temporaryDirectory()
    const settings = {
      TESSERA_DATA: place.folder,
      DATABASE_URL: `postgres://${coordinator.user}@${coordinator.host}:${coordinator.port}/${name}`,
      LOG_LEVEL: 'error',
      TESSERA_NOTIFICATION_SECONDS: '3600',
    }
    await using cleanUp = new AsyncDisposableStack()
    cleanUp.defer(() => dropDatabase(citus.servers, name))
    // What a dead worker had prepared; Citus itself finishes it once a minute.
    cleanUp.defer(() => runOn(connection, ['select recover_prepared_transactions()']))
    await createCitusDatabase(citus.servers, name, 4)
    for (const command of ['migrate', 'distribute']) {
      const { code, output } = await tessera(settings, command)
      expect(code, output).toBe(0)
    }
    await using server = startProcess(settings)
    const address = await server.ready()
    const staffs = []
    for (let number = 0; number < 4; number++) staffs.push(await hire(() => address, connection, 2))
    const loads: Load[] = []
    for (const staff of staffs) loads.push(await startLoad(staff, { goesOnAfterErrors: true }))
    const audits = staffs.map((staff, index) => auditor(staff, loads[index] as Load, place.folder, () => connection))
    const ends = loads.map(load => load.begin())
    let slowest = 0
    for (let kill = 0; kill < rounds(20); kill++) {
      for (const load of loads) await load.untilAcknowledged(5, 120_000)
      const started = performance.now()
      citus.crash(workers[kill % workers.length] as Connection)
      await sleep(Math.random() * 1500)
      citus.start()
      for (const load of loads) await load.untilAcknowledged(5, 120_000)
      slowest = Math.max(slowest, performance.now() - started)
    }
    for (const end of ends) await end()
    for (const audit of audits) {
      expect(await audit.lost(true)).toEqual([])
      expect(await audit.torn()).toEqual([])
    }
    const acknowledged = loads.reduce((sum, load) => sum + load.acknowledged.length, 0)
    const refused = loads.flatMap(load => load.refused)
    const longest = Math.max(0, ...refused.map(({ milliseconds }) => milliseconds))
    console.log(
      `citus-crash: ${rounds(20)} kills, ${acknowledged} acknowledged writes, 0 lost, 0 torn; ${refused.length} refused, the longest after ${longest} ms; ` +
        `all organizations wrote again after ${Math.round(slowest)} ms at most`,
    )
    // Each with its line of the log, which names the error of the database.
    const unexpected = refused.filter(({ status }) => status !== 503)
    const lines = server.output.split('\n').filter(line => unexpected.some(({ error }) => line.includes(requestOf(error))))
    expect(unexpected, lines.join('\n')).toEqual([])
  },
)

/** The id of a refused request; a connection that broke has none. */
function requestOf(error: string) {
  return (JSON.parse(error) as { requestId?: string } | null)?.requestId ?? 'none'
}
