import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { getViewList } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { previewBulkChange } from '@tessera/contract/tickets/bulk'
import { exportTickets, searchTickets } from '@tessera/contract/tickets/search'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { inZone } from './zone.ts'

const server = await serverOfFile()

const aliases = 'VST MIT NET AGT SST PLT CTT PRT ECT CNT PNT AET BET CAT EST EST5EDT Zulu Asia/Kolkata US/Eastern US/Pacific-New'.split(' ')
const unknown = ['Nowhere/At-all', 'SystemV/AST4', 'Factory', '+24:00', 'UTC+3', ' ']

test('the database knows every time zone that a browser may send; any other zone is a 400', async () => {
  const { project, caller, make } = await searchWorld(server)
  const { projectId } = project
  const [day, month] = ['2026-03-29', '2026-03']
  await make('boat')
  const Query = `created:>${day} phase:proposed@${day}`
  const statuses = async (Zone: string) => [
    (await server.as(caller, searchTickets, { Query, Zone })).status,
    (await server.as(caller, exportTickets, { idProject: String(projectId), Query, Zone })).status,
    (await server.as(caller, getProjectStatistics, { idProject: projectId, From: `${month}-01`, To: day, Zone })).status,
  ]
  for (const zone of [...aliases, 'Etc/GMT-14', 'Etc/GMT+12', '+0530', '-11'])
    expect([zone, await statuses(zone)]).toEqual([zone, [200, 200, 200]])
  for (const zone of unknown) expect([zone, await statuses(zone)]).toEqual([zone, [400, 400, 400]])
  const zones = Intl.supportedValuesOf('timeZone')
  await server.sql`select now() at time zone zone from unnest(${zones}::text[]) zone`
  for (const Zone of zones.filter((_, index) => index % 20 === 0))
    expect([Zone, (await server.as(caller, searchTickets, { Query, Zone })).status]).toEqual([Zone, 200])
})

test('a day begins at midnight of the given offset', async () => {
  const { organization, caller, make } = await searchWorld(server)
  await make('boat')
  await server.sql`update ticket set created_at = '2026-03-10 11:00Z' where organization_id = ${organization}`
  const days = async (Zone: string) => {
    const found = []
    for (const day of ['2026-03-09', '2026-03-10', '2026-03-11'])
      if ((await server.as(caller, searchTickets, { Query: `created:${day}`, Zone })).body.Total === 1) found.push(day)
    return found
  }
  expect(await days('UTC')).toEqual(['2026-03-10'])
  for (const zone of ['+14:00', 'Etc/GMT-14', 'Pacific/Kiritimati']) expect([zone, await days(zone)]).toEqual([zone, ['2026-03-11']])
  for (const zone of ['-11:30', '-1130', 'Etc/GMT+12']) expect([zone, await days(zone)]).toEqual([zone, ['2026-03-09']])
})

test('a day with two midnights begins at the first, for charts too', async () => {
  const { organization, project, caller, make } = await searchWorld(server)
  await make('boat')
  // In the Azores, clocks go back from 1:00 to 0:00 half an hour later.
  await server.sql`update ticket set created_at = '2026-10-25 00:30Z' where organization_id = ${organization}`
  const Zone = 'Atlantic/Azores'
  const found = async (Query: string) => (await server.as(caller, searchTickets, { Query, Zone })).body.Total
  for (const query of ['created:2026-10-25', 'updated:2026-10-25', 'phase:proposed@2026-10-25'])
    expect([query, await found(query)]).toEqual([query, 1])
  for (const query of ['created:2026-10-24', 'updated:<=2026-10-24', 'phase:proposed@2026-10-24'])
    expect([query, await found(query)]).toEqual([query, 0])
  const input = { idProject: project.projectId, From: '2026-10-24', To: '2026-10-26', Zone }
  const { Days } = (await server.as(caller, getProjectStatistics, input)).body
  expect(Days.map(({ Created, Proposed }) => [Created, Proposed])).toEqual([
    [0, 0],
    [1, 1],
    [0, 1],
  ])
})

test('a day begins at midnight where clocks go on from 23:00 to 0:00, or skip a whole day', async () => {
  const { organization, caller, make } = await searchWorld(server)
  await make('boat')
  for (const [Zone, moment, day] of [
    ['America/Nuuk', '2026-03-29 01:30Z', '2026-03-29'],
    ['America/Nuuk', '2026-03-29 00:59Z', '2026-03-28'],
    ['Pacific/Apia', '2011-12-30 10:30Z', '2011-12-31'],
  ] as const) {
    await server.sql`update ticket set created_at = ${moment} where organization_id = ${organization}`
    const { Total } = (await server.as(caller, searchTickets, { Query: `created:${day}`, Zone })).body
    expect([Zone, moment, Total]).toEqual([Zone, moment, 1])
  }
})

test('a zone that is none is a 400 also where nothing depends on it', async () => {
  const { project, caller, make } = await searchWorld(server)
  const idProject = project.projectId
  const ticket = await make('boat')
  const statuses = async (Zone: string) => {
    const answers = [
      ...['', 'is:open', 'boat'].flatMap(Query => [
        server.as(caller, queryTickets, { idProject, Query, Zone }),
        server.as(caller, queryBoard, { idProject, Group: 'State', Query, Zone }),
      ]),
      server.as(caller, getViewList, { idProject, Zone }),
      server.as(caller, previewBulkChange, { idProject, Tickets: [ticket], Change: { Trash: 1 }, Zone }),
    ]
    return (await Promise.all<{ status: number }>(answers)).map(({ status }) => status)
  }
  expect(await statuses('Europe/Berlin')).toEqual(Array(8).fill(200))
  expect(await statuses('Nowhere/At-all')).toEqual(Array(8).fill(400))
})

test('a zone that the database alone does not know is a 400', async () => {
  const asked = inZone(() => server.sql`select now() at time zone 'Nowhere/At-all'`)
  await expect(asked).rejects.toMatchObject({ code: 'invalid' })
})
