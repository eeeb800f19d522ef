import { searchTickets } from '@tessera/contract/tickets/search'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { connect, poolOf } from '../../src/db/connections/connect.ts'
import { planImport } from '../../src/import/export/plan.ts'
import { importExport } from '../../src/import/write.ts'
import { makeOrganization, makeUser } from '../fixtures/factories.ts'
import { startServer } from '../servers/server.ts'
import { genuineQueries } from './genuine-queries.ts'
import { recallAt10, withTypos } from './recall.ts'

/** Jira's export of TIMOB, 22,371 issues; too large to be part of the project. */
const file = process.env.TESSERA_JIRA_EXPORT

test.skipIf(!file)(
  'people find what they look for among 22,371 genuine issues (left out unless TESSERA_JIRA_EXPORT names the export)',
  async () => {
    await using server = await startServer()
    const { db, system } = server
    const organizationId = await makeOrganization(db)
    const caller = await server.signedIn(await makeUser(db, organizationId, { admin: true }), organizationId)
    await importExport(db, {
      storage: system.storage,
      file: file as string,
      plan: await planImport(file as string, {}),
      target: { organizationId, shortCode: 'TIMOB', title: 'Titanium' },
    })
    // No time limit: on a busy machine it takes longer than a request may.
    const patient = connect({ ...inject('cluster'), database: poolOf(db).options.database as string }, { poolSize: 1, noTimeLimits: true })
    await sql`vacuum analyze`.execute(patient)
    await patient.destroy()
    const times: number[] = []
    const search = async (Query: string) => {
      const began = performance.now()
      const { status, body } = await server.as(caller, searchTickets, { Query, Limit: 10 })
      times.push(performance.now() - began)
      expect({ Query, status }).toEqual({ Query, status: 200 })
      const ids = body.Tickets.map(({ id }) => id)
      const { rows } = await sql<{ key: string }>`select t.external_id as key from unnest(${ids}::bigint[]) with ordinality as o (id, n)
        join ticket t on t.organization_id = ${organizationId} and t.id = o.id order by o.n`.execute(db)
      return rows.map(({ key }) => key)
    }
    const exact = await recallAt10(genuineQueries, search)
    const mistyped = await recallAt10(
      genuineQueries.map((each, index) => ({ ...each, query: withTypos(each.query, index) })),
      search,
    )
    times.sort((left, right) => left - right)
    const p95 = times[Math.ceil(times.length * 0.95) - 1] ?? 0
    console.log(`recall@10 ${exact.recall.toFixed(3)}, with typing errors ${mistyped.recall.toFixed(3)}, p95 ${p95.toFixed(0)} ms`)
    console.log([...exact.missed, 'With typing errors:', ...mistyped.missed].join('\n'))
    expect(exact.recall).toBeGreaterThanOrEqual(0.95)
    expect(mistyped.recall).toBeGreaterThanOrEqual(0.9)
  },
  // The import of all of them takes minutes.
  1_800_000,
)
