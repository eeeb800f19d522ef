import { limits } from '@tessera/contract/limits'
import { deleteLabels, restoreLabels, setLabel } from '@tessera/contract/projects/labels'
import { getChangeSetList } from '@tessera/contract/tickets/bulk'
import { getTicketData, getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { connect, poolOf } from '../../../db/connections/connect.ts'
import { migrate } from '../../../db/schema/migrate.ts'

const server = await serverOfFile()

test('a restored organization label is listed in a project with the count of that project’s tickets only', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const admin = await someone('all', { admin: true })
  const member = await someone([1])
  const elsewhere = await makeProject(server.db, organization)
  const label = { idProject, Label: 'merger', Color: '#336699', Scope: 'organization' } as const
  const { idLabel } = (await server.as(admin, setLabel, label)).body
  const idTicket = await makeTicket(server.db, organization, project)
  for (const of of [idTicket, await makeTicket(server.db, organization, elsewhere), await makeTicket(server.db, organization, elsewhere)])
    expect((await server.as(admin, setTicketData, { idTicket: of, Labels: [{ idLabel, Enabled: 1 }] })).status).toBe(200)
  await server.as(admin, deleteLabels, { idProject, ids: [idLabel] })
  // The answer is the admin's, who sees every project.
  expect((await server.as(admin, restoreLabels, { idProject, ids: [idLabel] })).body).toEqual({ Success: 1, Tickets: 3 })

  expect((await server.as(member, getChangeSetList, { idProject })).body).toMatchObject([
    { What: 'restore', Tickets: 1, Some: [idTicket], Changes: [{ Field: 'Labels', How: 'added', Value: 'merger' }] },
  ])
  expect((await server.as(member, getTicketHistory, { idTicket })).body.Changes[0]?.Set).toMatchObject({ What: 'restore', Tickets: 1 })

  // As it was stored before.
  await server.sql`update change_set_summary set tickets = 3 where organization_id = ${organization}`
  await server.sql`/* all organizations: job */ delete from migration where name = '0056-tickets-of-restored-labels.sql'`
  const { host, port, user, database } = poolOf(server.db).options
  const owner = connect({ host, port, user, database }, { poolSize: 1 })
  expect((await migrate(owner)).applied).toHaveLength(1)
  await owner.destroy()
  expect((await server.as(member, getChangeSetList, { idProject })).body).toMatchObject([{ Tickets: 1 }])
})

test('restoring merged labels respects the limit: the first takes the place of the merged label, the others need room', async () => {
  const { project, idProject, organization, someone } = await peopledProject(server)
  const caller = await someone('all')
  const ids: number[] = []
  for (let index = 0; index < limits.labelsPerTicket + 2; index++)
    ids.push((await server.as(caller, setLabel, { idProject, Label: `L${String(index).padStart(2, '0')}` })).body.idLabel)
  const [merged, extra] = ids.splice(-2) as [number, number]
  const [full, roomy] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  const carry = async (idTicket: number, labels: number[]) =>
    expect(
      (await server.as(caller, setTicketData, { idTicket, Labels: labels.map(idLabel => ({ idLabel, Enabled: 1 as const })) })).status,
    ).toBe(200)
  const carried = async (idTicket: number) =>
    (await server.as(caller, getTicketData, { idTicket })).body.Labels.map(({ idLabel }) => idLabel)
  await carry(full, ids)
  await carry(roomy, ids.slice(0, 3))
  const three = ids.slice(0, 3)
  await server.as(caller, deleteLabels, { idProject, ids: three, idReplacement: merged })
  await carry(full, [extra])
  expect(await carried(full)).toHaveLength(limits.labelsPerTicket - 1)

  // There is room for one more than the one that is exchanged.
  expect((await server.as(caller, restoreLabels, { idProject, ids: three })).body).toEqual({ Success: 1, Tickets: 2 })
  expect(await carried(full)).toEqual([...three.slice(0, 2), ...ids.slice(3), extra])
  expect(await carried(roomy)).toEqual(three)
  // A label that found no room has no row in the history either.
  const { Changes } = (await server.as(caller, getTicketHistory, { idTicket: full })).body
  expect(Changes.filter(({ After }) => After === 'L02')).toHaveLength(1)

  // Labels with and without room and a replacement, in two deletions that are undone together.
  await server.as(caller, setTicketData, { idTicket: full, Labels: [{ idLabel: extra, Enabled: 0 }] })
  await server.as(caller, deleteLabels, { idProject, ids: three.slice(0, 2), idReplacement: merged })
  await server.as(caller, deleteLabels, { idProject, ids: [ids[3] as number] })
  await carry(full, [extra, ids[2] as number])
  await server.as(caller, restoreLabels, { idProject, ids: [...three.slice(0, 2), ids[3] as number] })
  expect(await carried(full)).toHaveLength(limits.labelsPerTicket)
})

test('consecutive merges are undone in any order, and the labels of one merge one by one', async () => {
  const { project, idProject, organization, someone } = await peopledProject(server)
  const caller = await someone('all')
  const label = async (Label: string): Promise<number> => (await server.as(caller, setLabel, { idProject, Label })).body.idLabel
  const [bug, defect, fault, other] = [await label('bug'), await label('defect'), await label('fault'), await label('other')]
  const names = async (idTicket: number) =>
    (await server.as(caller, getTicketData, { idTicket })).body.Labels.map(({ Label }) => Label).join()
  const ticket = async (...labels: number[]) => {
    const idTicket = await makeTicket(server.db, organization, project)
    const Labels = labels.map(idLabel => ({ idLabel, Enabled: 1 as const }))
    expect((await server.as(caller, setTicketData, { idTicket, Labels })).status).toBe(200)
    return idTicket
  }
  const merge = async (ids: number[], idReplacement?: number) =>
    expect((await server.as(caller, deleteLabels, { idProject, ids, ...(idReplacement && { idReplacement }) })).status).toBe(200)
  const restore = async (...ids: number[]) => expect((await server.as(caller, restoreLabels, { idProject, ids })).status).toBe(200)
  const [one, two, both, relieved] = [await ticket(bug), await ticket(defect), await ticket(bug, defect), await ticket(bug)]
  const all = async () => [await names(one), await names(two), await names(both), await names(relieved)]

  // The first merge is undone before the second.
  await merge([bug], defect)
  await server.as(caller, setTicketData, { idTicket: relieved, Labels: [{ idLabel: defect, Enabled: 0 }] })
  await merge([defect], fault)
  expect(await all()).toEqual(['fault', 'fault', 'fault', ''])
  await restore(bug)
  expect(await all()).toEqual(['bug', 'fault', 'bug,fault', ''])
  await restore(defect)
  expect(await all()).toEqual(['bug', 'defect', 'bug,defect', ''])

  await merge([bug], defect)
  await merge([defect], fault)
  await restore(bug, defect)
  expect(await all()).toEqual(['bug', 'defect', 'bug,defect', ''])

  // The replacement was deleted without another.
  await merge([bug], other)
  await merge([other])
  await restore(bug)
  expect(await all()).toEqual(['bug', 'defect', 'bug,defect', ''])

  // Two labels of one merge.
  await merge([bug, defect], fault)
  expect(await all()).toEqual(['fault', 'fault', 'fault', ''])
  await restore(defect)
  await restore(bug)
  expect(await all()).toEqual(['bug', 'defect', 'bug,defect', ''])

  // What somebody removed by hand stays removed.
  await merge([bug, defect], fault)
  await server.as(caller, setTicketData, { idTicket: both, Labels: [{ idLabel: fault, Enabled: 0 }] })
  await restore(bug)
  await restore(defect)
  expect(await all()).toEqual(['bug', 'defect', '', ''])
})

test('a label can be restored while one of its tickets is being purged', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const ann = await someone('all')
  const { idLabel } = (await server.as(ann, setLabel, { idProject, Label: 'late' })).body
  const [kept, purged] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  for (const idTicket of [kept, purged]) await server.as(ann, setTicketData, { idTicket, Labels: [{ idLabel, Enabled: 1 }] })
  await server.as(ann, deleteLabels, { idProject, ids: [idLabel] })
  const { restored } = await server.db.transaction().execute(async purge => {
    await sql`delete from ticket where organization_id = ${organization} and id = ${purged}`.execute(purge)
    const waiting = server.as(ann, restoreLabels, { idProject, ids: [idLabel] })
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    return { restored: waiting }
  })
  expect(await restored).toMatchObject({ status: 200, body: { Success: 1, Tickets: 1 } })
  expect((await server.as(ann, getTicketData, { idTicket: kept })).body.Labels).toMatchObject([{ idLabel }])
})

test('a label gets another color while a ticket is getting it, as during an import', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const ann = await someone('all')
  const { idLabel } = (await server.as(ann, setLabel, { idProject, Label: 'slow' })).body
  const idTicket = await makeTicket(server.db, organization, project)
  await server.db.transaction().execute(async importing => {
    await sql`insert into ticket_label (organization_id, ticket_id, label_id) values (${organization}, ${idTicket}, ${idLabel})`.execute(
      importing,
    )
    expect((await server.as(ann, setLabel, { idProject, idLabel, Color: '#113355' })).status).toBe(200)
  })
})
