import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isMigrated } from '../../db/schema/migrate.ts'
import { withoutSilenceLimit } from '../../http/silence.ts'
import { version } from '../../lib/version.ts'
import { belongingOf } from '../../storage/belonging.ts'
import type { System } from '../system.ts'

/** Milliseconds for each check. */
const checkTimeout = 2000
/** Milliseconds: some load balancers wait for one second only. */
const storageTimeout = 500

/**
 * `/healthz`: the process is alive, with its version. `/readyz`: it can serve; 503 names what is wrong: the database, its migrations, or the storage of
 * another installation. A storage that does not answer is named too, but everything except attachments works without it.
 */
export function serveHealth(app: FastifyInstance, system: System) {
  // Load balancers may ask with HEAD.
  const options = { schema: { hide: true }, exposeHeadRoute: true }
  const storage = watchStorage(system)
  app.get('/healthz', options, () => ({ status: 'ok', version }))
  app.get('/readyz', options, async (request, reply) => {
    const answers = () =>
      Promise.all([
        withTimeout(async () => (await sql`select 1`.execute(system.db)).rows.length === 1),
        withTimeout(() => isMigrated(system.db)),
        storage(),
      ])
    const checks = await withoutSilenceLimit(request.raw.socket, system.config.silenceSeconds, answers)
    const ready = checks[0] === 'ok' && checks[1] === 'ok' && ['ok', 'unavailable'].includes(checks[2])
    if (!ready) reply.code(503).header('retry-after', '5')
    const [database, migrations, attachments] = checks
    return reply
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready', database, migrations, storage: attachments })
  })
}

/** What the storage answered last. An answer that is late counts at the next check; until there is one, another's storage stays another's. */
function watchStorage(system: System) {
  let latest = 'no answer yet'
  let asking: Promise<void> | undefined
  const ask = async () => {
    try {
      latest = await storageState(system)
    } catch {
      if (['ok', 'no answer yet'].includes(latest)) latest = 'unavailable'
    }
    asking = undefined
  }
  return async () => {
    asking ??= ask()
    const patience = latest === 'no answer yet' ? checkTimeout : storageTimeout
    const isInTime = await Promise.race([asking.then(() => true), sleep(patience, false, { ref: false })])
    if (!isInTime && latest === 'ok') latest = 'unavailable'
    return latest
  }
}

/** Whether the storage of attachments answers, and is this database's. */
export async function isStorageUp(system: System) {
  return (await withTimeout(async () => (await storageState(system)) === 'ok')) === 'ok'
}

async function storageState({ db, storage }: System) {
  const { state } = await belongingOf(db, storage)
  return { own: 'ok', foreign: "another database's", unknown: 'another one' }[state]
}

async function withTimeout(check: () => Promise<boolean>) {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, checkTimeout, false)
  try {
    return (await Promise.race([check(), late])) ? 'ok' : 'unavailable'
  } catch {
    return 'unavailable'
  } finally {
    clearTimeout(timer)
  }
}
