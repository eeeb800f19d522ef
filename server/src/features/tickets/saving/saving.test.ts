import type { Request } from '@tessera/contract/call'
import { createNewTicket, getTicketData, getTicketList, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeField, makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../test/fixtures/recount.ts'
import { digest, history, refusesStrangers, ticketsOfPeople, unknownId } from '../../../../test/fixtures/worlds/tickets-of-people.ts'
import { type Caller, serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('set-ticket-data: every part in one save, with its history [7.21]', async () => {
  const { organization, project, ann, stranger } = await ticketsOfPeople(server)
  const parent = await makeTicket(server.db, organization, project)
  const ticket = await makeTicket(server.db, organization, project, { title: 'Old', parentId: parent })
  const saved = await server.as(ann, setTicketData, {
    idTicket: ticket,
    Title: ' New ',
    State: project.states.done,
    data: { note: 'a\nb', size: 'l' },
    TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.assignee, Enabled: 1 }],
    Version: 1,
  })
  expect(saved).toMatchObject({
    status: 200,
    body: {
      Success: 1,
      Version: 2,
      States: [
        { id: project.states.open, Description: 'Open' },
        { id: project.states.doing, Description: 'Doing' },
      ],
    },
  })
  const { body } = await server.as(ann, getTicketData, { idTicket: ticket })
  expect(body).toMatchObject({ Title: 'New', State: 'Done', Phase: 3, Version: 2, Assignees: [{ Name: 'Ann', Role: 'Assignee' }] })
  expect(body.Fields.map(({ Value }) => Value)).toEqual(['a\nb', 'l'])
  const pair = JSON.stringify({ idUser: ann.idUser, idRole: project.roles.assignee })
  expect((await history(server, organization, ticket)).sort()).toEqual(
    [
      ['Assignee', null, pair],
      ['data.note', null, 'a\nb'],
      ['data.size', null, 'l'],
      ['Title', 'Old', 'New'],
      ['State', String(project.states.open), String(project.states.done)],
    ].sort(),
  )
  const sets = await server.sql`select distinct change_set_id from change where organization_id = ${organization}`
  expect(sets).toHaveLength(1)
  expect((await server.as(ann, getTicketList, { idProject: project.projectId })).body).toMatchObject([{ SubordinateInactiveCount: 1 }])
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)

  // Repeating it changes nothing.
  const again = await server.as(ann, setTicketData, { idTicket: ticket, Title: 'New', State: project.states.done, data: { size: 'l' } })
  expect(again.body).toEqual({ Success: 1, Version: 2 })
  expect((await server.as(ann, setTicketData, { idTicket: ticket })).body).toEqual({ Success: 1, Version: 2 })
  expect(await history(server, organization, ticket)).toHaveLength(5)
  const unassign = { idTicket: ticket, TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.assignee, Enabled: 0 as const }] }
  expect((await server.as(ann, setTicketData, unassign)).body).toEqual({ Success: 1, Version: 3 })
  expect((await server.as(ann, getTicketData, { idTicket: ticket })).body.Assignees).toEqual([])
  await refusesStrangers(server, stranger, setTicketData, { idTicket: ticket, Title: 'x' }, { idTicket: unknownId, Title: 'x' })
})

test('set-ticket-data: each part needs its permission, and a refusal saves nothing', async () => {
  const { organization, project, elsewhere, stranger, someone } = await ticketsOfPeople(server)
  const ticket = await makeTicket(server.db, organization, project)
  const idTicket = ticket
  const before = await digest(server, organization)
  const everything = {
    idTicket,
    Title: 'x',
    data: { note: 'x' },
    State: project.states.done,
    TicketAssign: [{ idUser: stranger.idUser, idRole: project.roles.assignee, Enabled: 1 as const }],
  }
  for (const [permissions, needs] of [
    [[1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], 'Edit tickets'],
    [[1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13], 'Change state'],
    [[1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13], 'Assign people'],
  ] as const) {
    const caller = await someone(permissions)
    expect(await server.as(caller, setTicketData, everything)).toMatchObject({
      status: 422,
      body: { Success: 0, code: 'not_permitted', needs },
    })
  }
  const ann = await someone('all')
  const otherProject = await makeProject(server.db, organization)
  const foreignProject = await makeProject(server.db, elsewhere)
  const pair = { idUser: ann.idUser, idRole: project.roles.assignee, Enabled: 1 }
  for (const [part, ...paths] of [
    [{ data: { note: 'x', unknown: 'x' } }, 'data.unknown'],
    [{ data: { constructor: 'x' } }, 'data.constructor'],
    [{ State: unknownId }, 'State'],
    [{ State: otherProject.states.done }, 'State'],
    [{ State: foreignProject.states.done }, 'State'],
    [{ TicketAssign: [{ ...pair, idUser: stranger.idUser }] }, 'TicketAssign.0'],
    [{ TicketAssign: [pair, { ...pair, idRole: otherProject.roles.assignee }] }, 'TicketAssign.1'],
    [{ TicketAssign: [{ ...pair, idRole: foreignProject.roles.assignee, Enabled: 0 }] }, 'TicketAssign.0'],
    [{ Labels: [{ idLabel: unknownId, Enabled: 1 }] }, 'Labels.0'],
    [{ State: unknownId, Labels: [{ idLabel: unknownId, Enabled: 1 }], data: { gone: '' } }, 'State', 'data.gone', 'Labels.0'],
  ] as const) {
    expect(await server.as(ann, setTicketData, { idTicket, Title: 'x', ...part }), JSON.stringify(part)).toMatchObject({
      status: 404,
      body: {
        error: 'Not found: it does not exist, or you may not see it',
        code: 'not_found',
        fields: paths.map(path => ({ path, message: 'does not exist' })),
      },
    })
  }
  for (const [part, path] of [
    [{ data: { size: 'xxl' } }, 'data.size'],
    [{ Title: '' }, 'Title'],
    [{ State: '1' }, 'State'],
    [{ data: { note: 1 } }, 'data.note'],
    [{ Version: -1 }, 'Version'],
    [{ Other: 1 }, 'Other'],
  ] as const) {
    expect(await server.as(ann, setTicketData, { idTicket, data: { note: 'x' }, ...part }), path).toMatchObject({
      status: 400,
      body: { fields: [{ path }] },
    })
  }
  expect(await digest(server, organization)).toBe(before)
})

test('set-ticket-data: values fit their field', async () => {
  const { organization, project, ann } = await ticketsOfPeople(server)
  const types = { number: 'NUMBER', day: 'DATE', done: 'CHECKBOX', owner: 'USER', link: 'URL' } as const
  for (const [key, type] of Object.entries(types)) await makeField(server.db, organization, project, key, type)
  const options = [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ]
  await makeField(server.db, organization, project, 'tags', 'MULTISELECT', { options })
  const idTicket = await makeTicket(server.db, organization, project)
  const good = {
    number: '-12.5',
    day: '2028-02-29',
    done: '1',
    tags: '["b","a"]',
    owner: String(ann.idUser),
    link: 'https://example.com/a?b',
  }
  expect(await server.as(ann, setTicketData, { idTicket, data: good })).toMatchObject({ status: 200 })
  const { body } = await server.as(ann, getTicketData, { idTicket })
  expect(Object.fromEntries(body.Fields.map(({ Key, Value }) => [Key, Value]))).toMatchObject(good)
  const bad = { number: '1,5', day: '2027-02-29', done: 'true', tags: '["c"]', owner: String(unknownId), link: 'javascript:alert(1)' }
  for (const [key, value] of Object.entries(bad)) {
    expect(await server.as(ann, setTicketData, { idTicket, data: { [key]: value } }), key).toMatchObject({
      status: 400,
      body: { fields: [{ path: `data.${key}` }] },
    })
  }
  const nothing = Object.fromEntries(Object.keys(types).map(key => [key, '']))
  expect(await server.as(ann, setTicketData, { idTicket, data: nothing })).toMatchObject({ status: 200 })
})

test('set-ticket-data: fields merge, the same field conflicts, without Version the last writer wins', async () => {
  const { organization, project, ann, someone } = await ticketsOfPeople(server)
  const bob = await someone('all')
  const idTicket = await makeTicket(server.db, organization, project, { title: 'Old' })
  const save = (who: Caller, parts: Partial<Request<typeof setTicketData>>) => server.as(who, setTicketData, { idTicket, ...parts })
  expect((await save(ann, { data: { note: 'first' }, Version: 1 })).body).toEqual({ Success: 1, Version: 2 })
  expect((await save(bob, { Title: 'New', data: { size: 's' }, Version: 1 })).body).toEqual({ Success: 1, Version: 3 })

  const before = await digest(server, organization)
  expect(await save(bob, { data: { note: 'second', size: 'l' }, Title: 'Newer', Version: 2 })).toMatchObject({
    status: 409,
    body: {
      code: 'conflict',
      Version: 3,
      Title: 'New',
      data: { note: 'first', size: 's' },
      Conflicts: [
        { Field: 'data.size', Value: 's', ChangedBy: expect.any(String), ChangedAt: expect.any(Number) },
        { Field: 'Title', Value: 'New' },
      ],
    },
  })
  const conflict = await save(bob, { data: { note: 'second' }, Version: 1 })
  expect(conflict).toMatchObject({ status: 409, body: { Conflicts: [{ Field: 'data.note', Value: 'first', ChangedBy: 'Ann' }] } })
  expect(conflict.body).toMatchObject({ error: 'Somebody else changed this meanwhile' })
  // In another window, or by the UNDO of an earlier change.
  expect((await save(ann, { data: { note: 'second' }, Version: 1 })).body).toMatchObject({ error: 'You changed this meanwhile' })
  expect(await digest(server, organization)).toBe(before)
  // Saving the value already stored is no conflict, and does not make the rest known: with the answered version, a later save still conflicts.
  expect((await save(bob, { data: { note: 'first' }, Version: 1 })).body).toEqual({ Success: 1, Version: 1 })
  expect((await save(ann, { Title: 'New', Version: 3 })).body).toEqual({ Success: 1, Version: 3 })
  expect((await save(bob, { data: { note: 'second' } })).body).toEqual({ Success: 1, Version: 4 })
  // A cleared value is a change like any other.
  expect((await save(ann, { data: { note: '' } })).body).toEqual({ Success: 1, Version: 5 })
  expect(await save(bob, { data: { note: 'third' }, Version: 4 })).toMatchObject({
    status: 409,
    body: { Conflicts: [{ Field: 'data.note', Value: '' }] },
  })
  // State
  expect((await save(ann, { State: project.states.doing })).body).toMatchObject({ Version: 6 })
  expect(await save(bob, { State: project.states.done, Version: 5 })).toMatchObject({
    status: 409,
    body: { Conflicts: [{ Field: 'State', Value: String(project.states.doing) }], idState: project.states.doing, State: 'Doing' },
  })
})

test('set-ticket-data obeys the workflow', async () => {
  const { organization, project, ann } = await ticketsOfPeople(server)
  const { open, doing, done } = project.states
  const idTicket = await makeTicket(server.db, organization, project)
  await server.sql`
    insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    select ${organization}, ${project.projectId}, f, t from (values (${open}::bigint, ${doing}::bigint), (${doing}, ${done})) move (f, t)`
  expect((await server.as(ann, getTicketData, { idTicket })).body.OutputStates).toEqual([{ id: doing, Description: 'Doing' }])
  const before = await digest(server, organization)
  expect(await server.as(ann, setTicketData, { idTicket, Title: 'x', State: done })).toMatchObject({
    status: 409,
    body: { code: 'conflict', States: [{ id: doing, Description: 'Doing' }], Conflicts: [] },
  })
  expect(await digest(server, organization)).toBe(before)
  expect((await server.as(ann, setTicketData, { idTicket, State: open })).body).toEqual({ Success: 1, Version: 1 })
  expect((await server.as(ann, setTicketData, { idTicket, State: doing })).body).toEqual({
    Success: 1,
    Version: 2,
    States: [{ id: done, Description: 'Done' }],
  })
  expect((await server.as(ann, setTicketData, { idTicket, State: done })).body).toEqual({ Success: 1, Version: 3, States: [] })
  expect(await recount(server.db, organization)).toEqual(everyCounterRight)
})

test('an archived project and a ticket in the trash take no changes', async () => {
  const { organization, project, idProject, ann } = await ticketsOfPeople(server)
  const [trashed, open] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization} and id = ${trashed}`
  const create = { idProject, idTemplate: project.templates.bug, Title: 'x' }
  expect(await server.as(ann, setTicketData, { idTicket: trashed, Title: 'x' })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await server.as(ann, createNewTicket, { ...create, idParent: trashed })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await server.as(ann, getTicketData, { idTicket: trashed })).body.Trashed).toBe(1)
  await server.sql`update project set archived_at = now() where organization_id = ${organization} and id = ${idProject}`
  expect(await server.as(ann, setTicketData, { idTicket: open, Title: 'x' })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await server.as(ann, createNewTicket, create)).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await server.as(ann, getTicketList, { idProject })).body).toHaveLength(1)
})
