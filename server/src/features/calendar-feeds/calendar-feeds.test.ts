import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { createCalendarFeed, deleteCalendarFeeds, getCalendarFeedList, renewCalendarFeed } from '@tessera/contract/projects/calendar-feeds'
import { setProjectData } from '@tessera/contract/projects/projects'
import { expect, test } from 'vitest'
import { makeField, makeMember, makeProject } from '../../../test/fixtures/factories.ts'
import { badIds, expectRefusals } from '../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { type Caller, serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

/** A project with a date field, and two people who may see its tickets and nothing more. */
async function feedProject() {
  const world = await peopledProject(server)
  await makeField(server.db, world.organization, world.project, 'due', 'DATE')
  const [ann, bob] = [await world.someone([permission.viewTickets]), await world.someone([permission.viewTickets])]
  const { idProject } = world
  const input = { idProject, Name: 'Due', Query: 'is:open', Field: 'due', Zone: 'Europe/Berlin' }
  const make = async (who: Caller, more: object = {}) => server.as(who, createCalendarFeed, { ...input, ...more })
  const list = async (who: Caller) => (await server.as(who, getCalendarFeedList, { idProject })).body
  const statusOf = async (address: string) => (await server.app.inject({ url: new URL(address).pathname })).statusCode
  return { ...world, ann, bob, input, make, list, statusOf }
}

test('a person makes, lists, renews and deletes their own feeds; the address is answered once and stored as a digest', async () => {
  const { idProject, ann, bob, make, list, statusOf } = await feedProject()
  const { idFeed, Address } = (await make(ann)).body
  expect(Address).toMatch(/^http:\/\/localhost:3000\/calendar-feed\/\d+-[\w-]{43}\.ics$/)
  const shown = { idFeed, Name: 'Due', Query: 'is:open', Field: 'due', DateCreated: expect.any(Number) }
  expect([await list(ann), await list(bob)]).toEqual([[shown], []])
  expect(await statusOf(Address)).toBe(200)
  expect(await list(ann)).toEqual([{ ...shown, LastFetched: expect.any(Number) }])
  const secret = Address.replace(/^.*\d-|\.ics$/g, '')
  const stored =
    await server.sql`select c::text || encode(token_hash, 'escape') as text from calendar_feed c where organization_id = ${ann.orgid}`
  expect(JSON.stringify(stored)).not.toContain(secret)
  expect(await server.sql`select 1 from change where organization_id = ${ann.orgid}`).toEqual([])

  // Others cannot touch it, and she cannot in another project.
  const { projectId } = await makeProject(server.db, ann.orgid)
  await makeMember(server.db, ann.orgid, projectId, ann.idUser)
  for (const [who, place] of [
    [bob, idProject],
    [ann, projectId],
  ] as const) {
    expect((await server.as(who, renewCalendarFeed, { idProject: place, idFeed })).status).toBe(404)
    expect((await server.as(who, deleteCalendarFeeds, { idProject: place, ids: [idFeed] })).status).toBe(404)
  }
  const kept = (await make(ann)).body
  const renewed = (await server.as(ann, renewCalendarFeed, { idProject, idFeed })).body.Address
  // Nobody has read the new address yet.
  expect(await list(ann)).toEqual([{ ...shown, idFeed: kept.idFeed }, shown])
  expect([await statusOf(Address), await statusOf(renewed)]).toEqual([404, 200])
  // One that is not hers: none is deleted.
  const other = (await make(bob)).body.idFeed
  expect((await server.as(ann, deleteCalendarFeeds, { idProject, ids: [idFeed, other] })).status).toBe(404)
  expect(await statusOf(renewed)).toBe(200)
  expect((await server.as(ann, deleteCalendarFeeds, { idProject, ids: [idFeed] })).body).toEqual({ Success: 1 })
  expect([await statusOf(renewed), await statusOf(kept.Address)]).toEqual([404, 200])
  expect(await list(ann)).toMatchObject([{ idFeed: kept.idFeed }])
})

test('a feed needs a query and a date field of its project, and their number is limited even if two are made at once', async () => {
  const { organization, ann, input, make, list, foreigner, someone } = await feedProject()
  for (const [more, code] of [
    [{ Query: 'nothing:x' }, 'query'],
    [{ Query: '(' }, 'query'],
    [{ Field: 'size' }, 'invalid'],
    [{ Field: 'absent' }, 'invalid'],
    [{ Zone: 'Nowhere' }, 'invalid'],
    [{ Name: ' ' }, 'invalid'],
  ] as const)
    expect(await make(ann, more), JSON.stringify(more)).toMatchObject({ status: 400, body: { code } })
  await expectRefusals(server, createCalendarFeed, { input, caller: ann, foreigner, bad: [[{ ...input, Field: 'a b' }, 'Field']] })
  await server.sql`
    insert into calendar_feed (organization_id, project_id, owner_id, name, query, field_key, zone, token_hash)
    select ${organization}, ${input.idProject}, ${ann.idUser}, 'Feed', '', 'due', 'UTC', sha256(n::text::bytea)
    from generate_series(2, ${limits.calendarFeeds}::int) n`
  const both = await Promise.all([make(ann), make(ann)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  expect(await list(ann)).toHaveLength(limits.calendarFeeds)
  // Another person has a limit of their own.
  expect((await make(await someone([permission.viewTickets]))).status).toBe(200)
})

test('renewing and deleting feeds is refused to others, and an archived project takes only deletions', async () => {
  const { idProject, ann, make, list, foreigner, someone } = await feedProject()
  const { idFeed } = (await make(ann)).body
  await expectRefusals(server, getCalendarFeedList, { input: { idProject }, caller: ann, foreigner })
  await expectRefusals(server, renewCalendarFeed, { input: { idProject, idFeed }, caller: ann, foreigner })
  const input = { idProject, ids: [idFeed] }
  await expectRefusals(server, deleteCalendarFeeds, { input, caller: ann, foreigner, bad: badIds(input) })
  const manager = await someone('all')
  expect((await server.as(manager, setProjectData, { idProject, Archived: 1 })).status).toBe(200)
  expect((await make(ann)).status).toBe(422)
  expect((await server.as(ann, renewCalendarFeed, { idProject, idFeed })).status).toBe(422)
  expect((await server.as(ann, deleteCalendarFeeds, { idProject, ids: [idFeed] })).status).toBe(200)
  expect(await list(ann)).toEqual([])
})
