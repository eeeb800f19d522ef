import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isMigrated } from '../../db/schema/migrate.ts'
import { withoutSilenceLimit } from '../../http/silence.ts'
import { version } from '../../lib/version.ts'
import { belongingOf } from '../../storage/belonging.ts'
import type { System } from '../system.ts'

/** Milliseconds for each check. */
const checkTimeout = 2000

/** `/healthz`: the process is alive, with its version. `/readyz`: database, migrations and storage are available; 503 names what is not. */
export function serveHealth(app: FastifyInstance, system: System) {
  // Load balancers may ask with HEAD.
  const options = { schema: { hide: true }, exposeHeadRoute: true }
  app.get('/healthz', options, () => ({ status: 'ok', version }))
  app.get('/readyz', options, async (request, reply) => {
    const answers = () =>
      Promise.all(Object.entries(checksOf(system)).map(async ([name, check]) => [name, await withTimeout(check)] as const))
    const checks = await withoutSilenceLimit(request.raw.socket, system.config.silenceSeconds, answers)
    const ready = checks.every(([, answer]) => answer === 'ok')
    if (!ready) reply.code(503).header('retry-after', '5')
    return reply.header('cache-control', 'no-store').send({ status: ready ? 'ready' : 'not ready', ...Object.fromEntries(checks) })
  })
}

function checksOf(system: System): Record<string, () => Promise<string | boolean>> {
  const { db } = system
  return {
    database: async () => (await sql`select 1`.execute(db)).rows.length === 1,
    migrations: () => isMigrated(db),
    storage: () => storageState(system),
  }
}

/** Whether the storage of attachments answers, and is this database's. */
export async function isStorageUp(system: System) {
  return (await withTimeout(() => storageState(system))) === 'ok'
}

async function storageState({ db, storage }: System) {
  const { state } = await belongingOf(db, storage)
  return state === 'foreign' ? "another database's" : state === 'own'
}

async function withTimeout(check: () => Promise<string | boolean>): Promise<string> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, checkTimeout, false)
  try {
    const answer = await Promise.race([check(), late])
    if (typeof answer === 'string') return answer
    return answer ? 'ok' : 'unavailable'
  } catch {
    return 'unavailable'
  } finally {
    clearTimeout(timer)
  }
}
