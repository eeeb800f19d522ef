import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../../test/fixtures/factories.ts'
import { startServer } from '../../../test/servers/server.ts'
import { tableNames } from '../../db/tables.ts'
import { addJob, quiet } from '../../lib/background/job-queue.ts'
import { cleanUp } from './clean-up.ts'

test('expired invitations, old keys of repeated requests and jobs that failed long ago are removed, and no younger ones', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const [admin, late, invited] = [
    await makeUser(server.db, organization),
    await makeUser(server.db, organization),
    await makeUser(server.db, organization),
  ]
  for (const [person, hours] of [
    [late, 73],
    [invited, 71],
  ])
    await server.sql`
      insert into invitation (organization_id, user_id, invited_by, invited_at)
      values (${organization}, ${person}, ${admin}, now() - make_interval(hours => ${hours}))`
  await server.sql`
    insert into idempotency_key (organization_id, user_id, key, call, request_hash, created_at)
    select ${organization}::bigint, ${admin}::bigint, gen_random_uuid(), 'x', '', now() - make_interval(hours => hours)
    from unnest('{100, 99, 26, 25, 23, 0}'::int[]) hours`
  for (const kind of ['failed', 'failed lately', 'waiting']) await addJob(server.db, 'remove-files', { keys: [] }, { key: kind })
  await server.sql`
    update graphile_worker._private_jobs set attempts = max_attempts, updated_at = now() - make_interval(days => case key when 'failed' then 31 else 29 end)
    where key like 'failed%'`
  await server.sql`update graphile_worker._private_jobs set updated_at = now() - interval '31 days' where key = 'waiting'`
  // An earlier clean-up.
  await addJob(server.db, 'clean-up', {}, { key: 'failed clean-up', attempts: 1 })
  await server.sql`update graphile_worker._private_jobs set attempts = 1 where key = 'failed clean-up'`

  await cleanUp(server.system, {}, quiet)
  expect(await server.sql`select user_id from invitation where organization_id = ${organization}`).toEqual([{ user_id: invited }])
  expect(await server.sql`select count(*)::int as keys from idempotency_key where organization_id = ${organization}`).toEqual([{ keys: 2 }])
  expect(await server.sql`select key from graphile_worker._private_jobs order by key`).toEqual([
    { key: 'failed lately' },
    { key: 'waiting' },
  ])
})

test('the documents say of every table what removes its rows', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const section = /## What grows, and what removes it\n(.*?)\n## /s.exec(text)?.[1] ?? ''
  const listed = [...section.matchAll(/`(\w+)`/g)].map(match => match[1] ?? '')
  expect(tableNames.filter(name => !listed.includes(name))).toEqual([])
})
