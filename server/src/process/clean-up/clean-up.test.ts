import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeOrganization, makeProject, makeUser } from '../../../test/fixtures/factories.ts'
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

test('sessions that are over end, and what is long over is removed, but nothing younger', async () => {
  await using server = await startServer({ TESSERA_SESSION_IDLE_MINUTES: '60', TESSERA_SESSION_MAX_HOURS: '12' })
  const organization = await makeOrganization(server.db)
  const user = await makeUser(server.db, organization)
  const { projectId } = await makeProject(server.db, organization)
  // In hours.
  for (const [device, made, seen, ended] of [
    ['live', 11, 0.9, null],
    ['idle', 11, 1.1, null],
    ['old', 13, 0, null],
    ['ended lately', 30, 25, 23],
    ['ended long ago', 30, 28, 25],
  ])
    await server.sql`
      insert into session (organization_id, token_hash, user_id, device, created_at, last_seen_at, ended_at, end_reason)
      select ${organization}::bigint, sha256(${device}::text::bytea), ${user}::bigint, ${device}::text, now() - ${made}::float8 * interval '1 hour',
        now() - ${seen}::float8 * interval '1 hour', now() - ${ended}::float8 * interval '1 hour', case when ${ended}::float8 > 0 then 'logout' end`
  await server.sql`
    insert into reset_code (code_hash, user_id, device_hash, expires_at)
    select sha256(n::text::bytea), ${user}::bigint, '', now() - n * interval '1 hour' from unnest('{25, 23}'::int[]) n`
  await server.sql`
    insert into captcha_use (token_hash, used_at) select sha256(n::text::bytea), now() - n * interval '1 minute' from unnest('{61, 59}'::int[]) n`
  await server.sql`
    insert into known_device (user_id, device_hash, last_used_at)
    select ${user}::bigint, sha256(n::text::bytea), now() - n * interval '1 day' from unnest('{367, 364}'::int[]) n`
  await server.sql`
    insert into throttle (bucket, window_started_at, blocked_until) values ('over', now() - interval '25 hours', now() - interval '1 hour'),
      ('blocked', now() - interval '25 hours', now() + interval '1 hour'), ('counted', now() - interval '23 hours', null)`
  await server.sql`
    insert into bulk_preview (organization_id, project_id, user_id, change, found, tickets, total, created_at)
    select ${organization}::bigint, ${projectId}::bigint, ${user}::bigint, '{}', '{}', '[]', 0, now() - n * interval '1 hour' from unnest('{25, 23}'::int[]) n`

  await cleanUp(server.system, {}, quiet)
  const sessions = await server.sql<{ device: string; reason: string | null; ago: number | null }>`
    select device, end_reason as reason, round(extract(epoch from now() - ended_at) / 3600)::int as ago from session
    where organization_id = ${organization} order by device`
  expect(sessions).toEqual([
    { device: 'ended lately', reason: 'logout', ago: 23 },
    { device: 'idle', reason: 'idle', ago: 0 },
    { device: 'live', reason: null, ago: null },
    { device: 'old', reason: 'absolute', ago: 0 },
  ])
  const left = await server.sql`
    select (select array_agg(round(extract(epoch from now() - expires_at) / 3600)::int) from reset_code) as codes,
      (select array_agg(round(extract(epoch from now() - used_at) / 60)::int) from captcha_use) as captchas,
      (select array_agg(round(extract(epoch from now() - last_used_at) / 86400)::int) from known_device) as devices,
      (select array_agg(bucket order by bucket) from throttle) as buckets,
      (select array_agg(round(extract(epoch from now() - created_at) / 3600)::int) from bulk_preview where organization_id = ${organization}) as previews`
  expect(left).toEqual([{ codes: [23], captchas: [59], devices: [364], buckets: ['blocked', 'counted'], previews: [23] }])
})

test('the documents say of every table what removes its rows', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const section = /## What grows, and what removes it\n(.*?)\n## /s.exec(text)?.[1] ?? ''
  const listed = [...section.matchAll(/`(\w+)`/g)].map(match => match[1] ?? '')
  expect(tableNames.filter(name => !listed.includes(name))).toEqual([])
})
