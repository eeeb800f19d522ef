import { limits } from '@tessera/contract/limits'
import { allPermissions, permission } from '@tessera/contract/permissions'
import { deleteLabels, getLabelList, restoreLabels, setLabel } from '@tessera/contract/projects/labels'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getTicketData, getTicketHistory, getTicketList, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { badIds, databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, idProject, project, someone } = made
  const caller = await someone(allPermissions)
  const admin = await someone([1], { admin: true })
  const ticket = (of = project) => makeTicket(server.db, organization, of)
  return {
    ...made,
    caller,
    admin,
    unpermitted: await someone(allBut(permission.manageFields)),
    ticket,
    /** A new label's id. */
    label: async (Label: string, more: { Color?: string; Scope?: 'project' | 'organization' } = {}) => {
      const answer = await server.as(admin, setLabel, { idProject, Label, ...more })
      expect(answer).toMatchObject({ status: 200, body: { Success: 1 } })
      return answer.body.idLabel
    },
    list: async () => (await server.as(caller, getLabelList, { idProject })).body,
    carry: (idTicket: number, ids: number[], Enabled: 0 | 1 = 1) =>
      server.as(caller, setTicketData, { idTicket, Labels: ids.map(idLabel => ({ idLabel, Enabled })) }),
    carried: async (idTicket: number) => (await server.as(caller, getTicketData, { idTicket })).body.Labels.map(({ Label }) => Label),
    history: async (idTicket: number) =>
      (await server.as(caller, getTicketHistory, { idTicket })).body.Changes.map(({ Field, Label, Before, After }) => [
        Field,
        Label,
        Before,
        After,
      ]),
  }
}

test('labels of a project and of its organization: names are unique in each, colors are normalized', async () => {
  const { idProject, organization, foreign, foreigner, caller, admin, unpermitted, label, list } = await setUp()
  const bug = await label(' Bug ', { Color: '#C0FFEE' })
  const urgent = await label('urgent', { Scope: 'organization' })
  expect(await list()).toEqual([
    { idLabel: bug, Label: 'Bug', Color: '#c0ffee', Scope: 'project', Tickets: 0 },
    { idLabel: urgent, Label: 'urgent', Color: expect.stringMatching(/^#[0-9a-f]{6}$/), Scope: 'organization', Tickets: 0 },
  ])
  for (const [Label, Scope] of [
    ['BUG', 'project'],
    ['Urgent', 'organization'],
  ] as const) {
    const body = { code: 'duplicate', error: expect.stringContaining(`already has a label named ${Label}`) }
    expect(await server.as(admin, setLabel, { idProject, Label, Scope })).toMatchObject({ status: 422, body })
  }
  // The same name in the other scope is another label.
  await label('BUG', { Scope: 'organization' })
  expect((await server.as(admin, setLabel, { idProject, idLabel: urgent, Label: 'bug' })).body).toMatchObject({
    code: 'duplicate',
    error: expect.stringContaining('already has a label named bug'),
  })
  expect((await server.as(caller, setLabel, { idProject, idLabel: bug, Label: 'bug', Color: '#000000' })).body).toEqual({
    Success: 1,
    idLabel: bug,
  })
  expect((await list()).find(({ idLabel }) => idLabel === bug)).toMatchObject({ Label: 'bug', Color: '#000000' })
  expect(await server.as(caller, setLabel, { idProject, idLabel: bug, Scope: 'organization' })).toMatchObject({
    status: 422,
    body: { code: 'rule' },
  })
  // Another project of the organization has the organization's labels alone.
  const second = await makeProject(server.db, organization)
  await makeMember(server.db, organization, second.projectId, caller.idUser, 'all')
  expect((await server.as(caller, getLabelList, { idProject: second.projectId })).body.map(({ Label }) => Label)).toEqual(['BUG', 'urgent'])
  expect((await server.as(caller, setLabel, { idProject: second.projectId, idLabel: bug, Label: 'Mine' })).status).toBe(404)

  for (const input of [
    { Label: 'New', Scope: 'organization' as const },
    { idLabel: urgent, Label: 'New' },
  ]) {
    expect(await server.as(caller, setLabel, { idProject, ...input })).toMatchObject({
      status: 422,
      body: { code: 'not_permitted', needs: 'Organisation Admin' },
    })
  }
  await expectRefusals(server, getLabelList, { input: { idProject }, caller, foreigner })
  await expectRefusals(server, setLabel, {
    input: { idProject, Label: 'New' },
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ idProject }, 'Label'],
      [{ idProject, Label: ' ' }, 'Label'],
      [{ idProject, Label: 'New', Color: 'red' }, 'Color'],
    ],
  })
  expect((await server.as(caller, setLabel, { idProject: foreign.projectId, Label: 'New' })).status).toBe(404)
})

test('a ticket carries labels of its project and organization, at most 20, with history', async () => {
  const { organization, idProject, someone, elsewhere, foreign, caller, label, ticket, carry, carried, history, list } = await setUp()
  const [bug, urgent] = [await label('Bug'), await label('urgent', { Scope: 'organization' })]
  const idTicket = await ticket()
  const { body } = await carry(idTicket, [urgent, bug])
  expect(body).toEqual({ Success: 1, Version: 2 })
  expect(await carried(idTicket)).toEqual(['Bug', 'urgent'])
  // What it carries already is no change.
  expect((await carry(idTicket, [bug])).body).toEqual({ Success: 1, Version: 2 })
  expect((await carry(idTicket, [urgent], 0)).body).toEqual({ Success: 1, Version: 3 })
  expect(await carried(idTicket)).toEqual(['Bug'])
  expect(await history(idTicket)).toEqual([
    ['Label', 'Labels', 'urgent', null],
    ['Label', 'Labels', null, 'Bug'],
    ['Label', 'Labels', null, 'urgent'],
  ])
  expect((await list()).map(({ Label, Tickets }) => [Label, Tickets])).toEqual([
    ['Bug', 1],
    ['urgent', 0],
  ])

  const second = await makeProject(server.db, organization)
  const strange = async (organization_id: number, project_id: number) =>
    (
      await server.sql<{ id: number }>`
        insert into label (organization_id, project_id, name, color) values (${organization_id}, ${project_id}, 'Strange', '#000000') returning id`
    )[0]?.id as number
  for (const id of [await strange(organization, second.projectId), await strange(elsewhere, foreign.projectId)])
    expect((await carry(idTicket, [urgent, id])).status).toBe(404)
  const viewer = await someone(allBut(permission.editTickets))
  const refused = await server.as(viewer, setTicketData, { idTicket, Labels: [{ idLabel: urgent, Enabled: 1 }] })
  expect(refused).toMatchObject({ status: 422, body: { code: 'not_permitted', needs: 'Edit tickets' } })

  await server.sql`
    insert into label (organization_id, project_id, name, color)
    select ${organization}, ${idProject}, 'L' || n, '#000000' from generate_series(1, 20) n`
  const more = (await list()).filter(({ Label }) => Label.startsWith('L')).map(({ idLabel }) => idLabel)
  const digest = await databaseDigest(server.db)
  expect(await carry(idTicket, more)).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await databaseDigest(server.db)).toBe(digest)
  expect((await carry(idTicket, more.slice(0, 19))).status).toBe(200)
  expect(await carried(idTicket)).toHaveLength(limits.labelsPerTicket)
  // At the limit, one label makes room for another.
  const swap = { idTicket, Labels: [bug, more[19] as number].map((idLabel, index) => ({ idLabel, Enabled: index as 0 | 1 })) }
  expect((await server.as(caller, setTicketData, swap)).status).toBe(200)
})

test('a list is filtered by labels: tickets that carry any of them, at every depth', async () => {
  const { idProject, caller, label, ticket, carry } = await setUp()
  expect((await server.as(caller, getProjectData, { idProject })).body.HasLabels).toBe(0)
  const [bug, urgent] = [await label('Bug'), await label('urgent', { Scope: 'organization' })]
  expect((await server.as(caller, getProjectData, { idProject })).body.HasLabels).toBe(1)
  const [first, second, third] = [await ticket(), await ticket(), await ticket()]
  await carry(first, [bug, urgent])
  await carry(second, [urgent])
  const found = async (Labels: number[], more = {}) => {
    const { body } = await server.as(caller, queryTickets, { idProject, Labels, ...more })
    expect(body.Total).toBe(body.Tickets.length)
    return body.Tickets.map(({ id }) => id)
  }
  expect(await found([bug])).toEqual([first])
  expect(await found([bug, urgent])).toEqual([second, first])
  expect(await found([bug, urgent], { Sort: [{ Column: 'ID', Direction: 'asc' }], Phases: [1] })).toEqual([first, second])
  expect(await found([])).toEqual([third, second, first])
  // A label that is gone is on no ticket.
  expect(await found([987_654])).toEqual([])
})

test('every row of a list names the labels of its ticket', async () => {
  const { idProject, caller, label, ticket, carry } = await setUp()
  const [idLabel, other] = [await label('Bug', { Color: '#aa0000' }), await label('also', { Scope: 'organization', Color: '#00aa00' })]
  const [first, second] = [await ticket(), await ticket()]
  await carry(first, [idLabel, other])
  const wanted = [
    [second, []],
    [
      first,
      [
        { idLabel: other, Label: 'also', Color: '#00aa00' },
        { idLabel, Label: 'Bug', Color: '#aa0000' },
      ],
    ],
  ]
  const rows = (tickets: { id: number; Labels: unknown }[]) => tickets.map(({ id, Labels }) => [id, Labels])
  expect(rows((await server.as(caller, getTicketList, { idProject })).body)).toEqual(wanted)
  for (const how of [{}, { Sort: [{ Column: 'State' as const, Direction: 'asc' as const }] }, { Title: 'Ticket' }])
    expect(rows((await server.as(caller, queryTickets, { idProject, ...how })).body.Tickets), JSON.stringify(how)).toEqual(wanted)
})

test('deleting a label removes it from its tickets or replaces it; the undo restores all of it', async () => {
  const { idProject, foreigner, caller, admin, unpermitted, label, ticket, carry, carried, history, list } = await setUp()
  const [bug, defect, other] = [await label('Bug'), await label('Defect'), await label('Other')]
  const urgent = await label('urgent', { Scope: 'organization' })
  const [first, second, third] = [await ticket(), await ticket(), await ticket()]
  await carry(first, [bug])
  await carry(second, [bug, defect, urgent])
  await carry(third, [urgent])

  const input = { idProject, ids: [bug], idReplacement: defect }
  const restored = { idProject, ids: [bug] }
  await expectRefusals(server, deleteLabels, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [...badIds(restored), [{ ...input, idReplacement: bug }, 'idReplacement']],
  })
  expect((await server.as(caller, deleteLabels, { idProject, ids: [urgent] })).body).toMatchObject({ needs: 'Organisation Admin' })
  expect((await server.as(admin, deleteLabels, { idProject, ids: [urgent], idReplacement: bug })).body).toMatchObject({ code: 'rule' })

  expect((await server.as(caller, deleteLabels, { ...input, idReplacement: 987_654_321 })).status).toBe(404)
  expect((await server.as(caller, deleteLabels, input)).body).toEqual({ Success: 1 })
  expect([await carried(first), await carried(second), await carried(third)]).toEqual([['Defect'], ['Defect', 'urgent'], ['urgent']])
  expect((await history(first))[0]).toEqual(['Label', 'Labels', 'Bug', 'Defect'])
  expect((await server.as(caller, deleteLabels, input)).status).toBe(404)
  await expectRefusals(server, restoreLabels, {
    input: restored,
    caller,
    foreigner,
    unpermitted,
    bad: badIds(restored),
  })
  expect((await server.as(caller, restoreLabels, { idProject, ids: [bug] })).body).toEqual({ Success: 1, Tickets: 2 })
  // The one that carried both before still does.
  expect([await carried(first), await carried(second)]).toEqual([['Bug'], ['Bug', 'Defect', 'urgent']])
  expect((await list()).map(({ idLabel }) => idLabel)).toEqual([bug, defect, other, urgent])

  // Without a replacement the tickets carry one label less. What is restored finds its name taken, or is there.
  expect((await server.as(caller, deleteLabels, { idProject, ids: [bug, other] })).body).toEqual({ Success: 1 })
  expect(await carried(first)).toEqual([])
  const again = await label('bug')
  expect((await server.as(caller, restoreLabels, { idProject, ids: [bug] })).body).toMatchObject({ code: 'duplicate' })
  await server.as(caller, setLabel, { idProject, idLabel: again, Label: 'Beetle' })
  expect((await server.as(caller, restoreLabels, { idProject, ids: [bug, other] })).body).toEqual({ Success: 1, Tickets: 2 })
  expect((await server.as(caller, restoreLabels, { idProject, ids: [bug] })).body).toEqual({ Success: 1, Tickets: 0 })
  expect((await server.as(caller, restoreLabels, { idProject, ids: [bug, 987_654_321] })).status).toBe(404)
  expect(await carried(first)).toEqual(['Bug'])

  expect((await server.as(admin, deleteLabels, { idProject, ids: [urgent] })).body).toEqual({ Success: 1 })
  expect((await server.as(caller, restoreLabels, { idProject, ids: [urgent] })).body).toMatchObject({ needs: 'Organisation Admin' })
  expect((await server.as(admin, restoreLabels, { idProject, ids: [urgent] })).body).toEqual({ Success: 1, Tickets: 2 })
  expect(await carried(second)).toEqual(['Bug', 'Defect', 'urgent'])
})

test('two people who create the same label at once get one label, and there are at most 500', async () => {
  const { organization, idProject, caller, list } = await setUp()
  const answers = await Promise.all(['Same', 'same', 'SAME'].map(Label => server.as(caller, setLabel, { idProject, Label })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  expect(await list()).toHaveLength(1)
  await server.sql`
    insert into label (organization_id, project_id, name, color)
    select ${organization}, ${idProject}, 'L' || n, '#000000' from generate_series(2, ${limits.labels}::int) n`
  expect(await server.as(caller, setLabel, { idProject, Label: 'One more' })).toMatchObject({ status: 422, body: { code: 'rule' } })
})

test('merging a thousand labels is one change set, which is reverted as a whole', async () => {
  const { organization, idProject, admin, ticket, list, carried, label } = await setUp()
  const kept = await label('kept', { Scope: 'organization' })
  await server.sql`
    insert into label (organization_id, project_id, name, color)
    select ${organization}, p.id, 'L' || n, '#000000'
    from (values (${idProject}::bigint, 500), (null, 499)) p (id, most), generate_series(1, p.most) n`
  const ids = (await list()).map(({ idLabel }) => idLabel).filter(id => id !== kept)
  expect(ids).toHaveLength(999)
  const tickets = [await ticket(), await ticket(), await ticket()]
  await server.sql`
    insert into ticket_label (organization_id, ticket_id, label_id)
    select ${organization}, t.id, l.id from unnest(${tickets}::bigint[]) with ordinality t (id, place)
    join unnest(${ids}::bigint[]) with ordinality l (id, place) on l.place between t.place * 20 and t.place * 20 + 19`
  const changeSets = async () => {
    const rows = await server.sql<{ sets: number }>`
      select count(distinct change_set_id)::int as sets from change where organization_id = ${organization}`
    return rows[0]?.sets ?? 0
  }
  const before = await changeSets()

  expect((await server.as(admin, deleteLabels, { idProject, ids, idReplacement: kept })).body).toEqual({ Success: 1 })
  expect((await changeSets()) - before).toBe(1)
  expect((await list()).map(({ idLabel, Tickets }) => [idLabel, Tickets])).toEqual([[kept, 3]])
  for (const id of tickets) expect(await carried(id)).toEqual(['kept'])

  expect((await server.as(admin, restoreLabels, { idProject, ids })).body).toEqual({ Success: 1, Tickets: 3 })
  expect(await list()).toHaveLength(1000)
  for (const id of tickets) expect(await carried(id)).toHaveLength(20)
})
