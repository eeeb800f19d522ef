import { permission } from '@tessera/contract/permissions'
import {
  createProjectRole,
  deleteProjectRoles,
  getProjectRoles,
  restoreProjectRoles,
  setProjectRole,
  setProjectRoleOrder,
} from '@tessera/contract/projects/projects'
import { getTicketData, getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { badIds, databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { idProject, someone } = made
  const caller = await someone([1, 5, 13])
  return {
    ...made,
    caller,
    unpermitted: await someone(allBut(permission.manageProject)),
    names: async () => (await server.as(caller, getProjectRoles, { idProject })).body.map(({ Description }) => Description),
  }
}

test('roles are created, renamed and ordered; a name is unique', async () => {
  const { project, idProject, foreign, foreigner, caller, unpermitted, names } = await setUp()
  const { responsible, assignee, reviewer } = project.roles
  expect((await server.as(caller, getProjectRoles, { idProject })).body).toEqual([
    { id: responsible, Description: 'Responsible', Assignments: 0 },
    { id: assignee, Description: 'Assignee', Assignments: 0 },
    { id: reviewer, Description: 'Reviewer', Assignments: 0 },
  ])
  const { body: made } = await server.as(caller, createProjectRole, { idProject, Role: ' Tester ' })
  expect(made).toEqual({ Success: 1, idRole: expect.any(Number) })
  const taken = (name: string) => ({ code: 'duplicate', error: `This project already has a role named ${name}` })
  expect((await server.as(caller, createProjectRole, { idProject, Role: 'TESTER' })).body).toMatchObject(taken('TESTER'))
  expect((await server.as(caller, setProjectRole, { idProject, idRole: made.idRole, Role: 'tester' })).body).toEqual({ Success: 1 })
  expect((await server.as(caller, setProjectRole, { idProject, idRole: made.idRole, Role: 'Reviewer' })).body).toMatchObject(
    taken('Reviewer'),
  )
  expect((await server.as(caller, setProjectRole, { idProject, idRole: foreign.roles.assignee, Role: 'Mine' })).status).toBe(404)
  expect((await server.as(caller, setProjectRoleOrder, { idProject, SortOrder: [made.idRole, reviewer] })).body).toEqual({ Success: 1 })
  expect(await names()).toEqual(['tester', 'Reviewer', 'Responsible', 'Assignee'])
  expect((await server.as(caller, setProjectRoleOrder, { idProject, SortOrder: [foreign.roles.assignee] })).status).toBe(404)

  const refusals = { caller, foreigner, unpermitted }
  await expectRefusals(server, getProjectRoles, { input: { idProject }, caller, foreigner })
  await expectRefusals(server, createProjectRole, {
    ...refusals,
    input: { idProject, Role: 'New' },
    bad: [[{ idProject, Role: ' ' }, 'Role']],
  })
  await expectRefusals(server, setProjectRole, {
    ...refusals,
    input: { idProject, idRole: assignee, Role: 'New' },
    bad: [[{ idProject, idRole: assignee }, 'Role']],
  })
  await expectRefusals(server, setProjectRoleOrder, {
    ...refusals,
    input: { idProject, SortOrder: [assignee] },
    bad: [[{ idProject, SortOrder: [assignee, assignee] }, 'SortOrder']],
  })
})

test('deleting a role in use needs a replacement, which each person gets once, with history', async () => {
  const { organization, project, idProject, someone, foreign, foreigner, caller, unpermitted, names } = await setUp()
  const { responsible, assignee, reviewer } = project.roles
  const other = await someone([1])
  const [first, second] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  const assign = (idTicket: number, ...pairs: [number, number][]) =>
    server.as(caller, setTicketData, { idTicket, TicketAssign: pairs.map(([idUser, idRole]) => ({ idUser, idRole, Enabled: 1 as const })) })
  await assign(first, [caller.idUser, responsible], [caller.idUser, assignee], [caller.idUser, reviewer], [other.idUser, assignee])
  await assign(second, [other.idUser, assignee])

  const input = { idProject, ids: [assignee] }
  const before = await databaseDigest(server.db)
  expect(await server.as(caller, deleteProjectRoles, input)).toMatchObject({
    status: 422,
    body: { code: 'in_use', error: 'The role Assignee is held on 2 tickets: choose a role to take its place' },
  })
  for (const stranger of [{ ids: [assignee, foreign.roles.assignee] }, { idReplacement: foreign.roles.assignee }])
    expect((await server.as(caller, deleteProjectRoles, { ...input, ...stranger })).status).toBe(404)
  expect(await databaseDigest(server.db)).toBe(before)
  await expectRefusals(server, deleteProjectRoles, {
    input: { ...input, idReplacement: reviewer },
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ ...input, ids: [] }, 'ids'],
      [{ ...input, idReplacement: assignee }, 'idReplacement'],
    ],
  })

  expect((await server.as(caller, deleteProjectRoles, { idProject, ids: [responsible, assignee], idReplacement: reviewer })).body).toEqual({
    Success: 1,
  })
  expect(await names()).toEqual(['Reviewer'])
  const holders = async (idTicket: number) =>
    (await server.as(caller, getTicketData, { idTicket })).body.Assignees.map(({ idUser, idRole }) => [idUser, idRole])
  expect((await holders(first)).toSorted()).toEqual(
    [
      [caller.idUser, reviewer],
      [other.idUser, reviewer],
    ].toSorted(),
  )
  expect(await holders(second)).toEqual([[other.idUser, reviewer]])
  const rows = await server.sql<{ ticket_id: number; before: string; after: string | null }>`
    select ticket_id, before, after from change
    where organization_id = ${organization} and field = 'Assignee' and before is not null`
  const pair = (idUser: number, idRole: number) => JSON.stringify({ idUser, idRole })
  expect(rows.map(row => [row.ticket_id, row.before, row.after].join(' ')).toSorted()).toEqual(
    [
      [first, pair(caller.idUser, responsible), null].join(' '),
      [first, pair(caller.idUser, assignee), null].join(' '),
      [first, pair(other.idUser, assignee), pair(other.idUser, reviewer)].join(' '),
      [second, pair(other.idUser, assignee), pair(other.idUser, reviewer)].join(' '),
    ].toSorted(),
  )
  const history = (await server.as(caller, getTicketHistory, { idTicket: second })).body.Changes
  expect(history[0]).toMatchObject({
    Before: expect.stringContaining('(Assignee (deleted))'),
    After: expect.stringContaining('(Reviewer)'),
  })
})

test('restore-project-roles restores ids and order, for people who still hold the replacement; the other role keeps its place', async () => {
  const { organization, project, idProject, someone, foreigner, caller, unpermitted, names } = await setUp()
  const { responsible, assignee, reviewer } = project.roles
  const [other, released, leaver] = [await someone([1]), await someone([1]), await someone([1])]
  const idTicket = await makeTicket(server.db, organization, project)
  const assign = (Enabled: 0 | 1, ...pairs: [number, number][]) =>
    server.as(caller, setTicketData, { idTicket, TicketAssign: pairs.map(([idUser, idRole]) => ({ idUser, idRole, Enabled })) })
  const holders = async () =>
    (await server.as(caller, getTicketData, { idTicket })).body.Assignees.map(({ idUser, idRole }) => [idUser, idRole]).toSorted()
  await assign(1, [caller.idUser, assignee], [caller.idUser, reviewer], [other.idUser, responsible], [other.idUser, assignee])
  await assign(1, [released.idUser, assignee], [leaver.idUser, assignee], [leaver.idUser, reviewer])
  const input = { idProject, ids: [responsible, assignee] }
  expect((await server.as(caller, deleteProjectRoles, { ...input, idReplacement: reviewer })).status).toBe(200)
  await assign(0, [released.idUser, reviewer])
  await server.sql`delete from assignment where organization_id = ${organization} and user_id = ${leaver.idUser}`
  await server.sql`delete from project_member where organization_id = ${organization} and user_id = ${leaver.idUser}`
  await expectRefusals(server, restoreProjectRoles, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: badIds(input),
  })
  const before = await databaseDigest(server.db)
  expect((await server.as(caller, restoreProjectRoles, { idProject, ids: [assignee, reviewer + 1_000_000] })).status).toBe(404)
  await server.as(caller, createProjectRole, { idProject, Role: 'ASSIGNEE' })
  expect(await server.as(caller, restoreProjectRoles, input)).toMatchObject({
    status: 422,
    body: { code: 'duplicate', error: 'This project already has a role named Assignee' },
  })
  const again = await server.sql<{ id: number }>`
    delete from role where organization_id = ${organization} and name = 'ASSIGNEE' returning id`
  await server.sql`delete from change where organization_id = ${organization} and subject = 'role' and subject_id = ${again[0]?.id}`
  expect(await databaseDigest(server.db)).toBe(before)

  expect((await server.as(caller, restoreProjectRoles, input)).body).toEqual({ Success: 1, Assignments: 3 })
  expect(await names()).toEqual(['Responsible', 'Assignee', 'Reviewer'])
  expect(await holders()).toEqual(
    [
      [caller.idUser, assignee],
      [caller.idUser, reviewer],
      [other.idUser, responsible],
      [other.idUser, assignee],
    ].toSorted(),
  )
  const history = (await server.as(caller, getTicketHistory, { idTicket })).body.Changes
  expect(JSON.stringify(history)).not.toContain('(deleted)')
  expect(
    history
      .slice(0, 3)
      .map(({ Before, After }) => [Before?.replace(/.*\(/, '('), After?.replace(/.*\(/, '(')])
      .toSorted(),
  ).toEqual(
    [
      [undefined, '(Assignee)'],
      ['(Reviewer)', '(Responsible)'],
      ['(Reviewer)', '(Assignee)'],
    ].toSorted(),
  )
  const digest = await databaseDigest(server.db)
  expect((await server.as(caller, restoreProjectRoles, input)).body).toEqual({ Success: 1, Assignments: 0 })
  expect(await databaseDigest(server.db)).toBe(digest)
})

test('a role deleted during an assignment to it: refused, or nobody has the role', async () => {
  const { organization, project, idProject, caller } = await setUp()
  const idTicket = await makeTicket(server.db, organization, project)
  for (let race = 0; race < rounds(4); race++) {
    const { idRole } = (await server.as(caller, createProjectRole, { idProject, Role: `Role ${race}` })).body
    const pair = { idUser: caller.idUser, idRole }
    const [deleted, assigned] = await Promise.all([
      server.as(caller, deleteProjectRoles, { idProject, ids: [idRole] }),
      server.as(caller, setTicketData, { idTicket, TicketAssign: [{ ...pair, Enabled: 1 }] }),
    ])
    expect([
      [200, 404],
      [422, 200],
    ]).toContainEqual([deleted.status, assigned.status])
  }
})

test('roles that replaced each other are restored in any order, and the roles of one deletion one by one', async () => {
  const { organization, project, idProject, someone, caller } = await setUp()
  const { responsible, assignee, reviewer } = project.roles
  const [one, two, both, released] = [await someone([1]), await someone([1]), await someone([1]), await someone([1])]
  const idTicket = await makeTicket(server.db, organization, project)
  const names = new Map([
    [responsible, 'Responsible'],
    [assignee, 'Assignee'],
    [reviewer, 'Reviewer'],
  ])
  const assign = async (Enabled: 0 | 1, ...pairs: [number, number][]) =>
    expect(
      (await server.as(caller, setTicketData, { idTicket, TicketAssign: pairs.map(([idUser, idRole]) => ({ idUser, idRole, Enabled })) }))
        .status,
    ).toBe(200)
  const held = async () => {
    const { Assignees } = (await server.as(caller, getTicketData, { idTicket })).body
    return [one, two, both, released].map(person =>
      Assignees.flatMap(({ idUser, idRole }) => (idUser === person.idUser ? names.get(idRole) : [])).join(),
    )
  }
  const replace = async (ids: number[], idReplacement: number) =>
    expect((await server.as(caller, deleteProjectRoles, { idProject, ids, idReplacement })).status).toBe(200)
  const restore = async (...ids: number[]) => expect((await server.as(caller, restoreProjectRoles, { idProject, ids })).status).toBe(200)
  await assign(1, [one.idUser, responsible], [two.idUser, assignee], [both.idUser, responsible], [both.idUser, assignee])
  await assign(1, [released.idUser, responsible])

  // The first deletion is undone before the second.
  await replace([responsible], assignee)
  await assign(0, [released.idUser, assignee])
  await replace([assignee], reviewer)
  expect(await held()).toEqual(['Reviewer', 'Reviewer', 'Reviewer', ''])
  await restore(responsible)
  expect(await held()).toEqual(['Responsible', 'Reviewer', 'Responsible,Reviewer', ''])
  await restore(assignee)
  const asBefore = ['Responsible', 'Assignee', 'Responsible,Assignee', '']
  expect(await held()).toEqual(asBefore)

  // Both at once.
  await replace([responsible], assignee)
  await replace([assignee], reviewer)
  await restore(responsible, assignee)
  expect(await held()).toEqual(asBefore)

  // Somebody took the replacement away after it had come back.
  await replace([responsible], assignee)
  await replace([assignee], reviewer)
  await restore(assignee)
  await assign(0, [one.idUser, assignee])
  await restore(responsible)
  expect(await held()).toEqual(['', 'Assignee', 'Responsible,Assignee', ''])
  await assign(1, [one.idUser, responsible])

  // Two roles of one deletion, one by one.
  await replace([responsible, assignee], reviewer)
  await restore(assignee)
  await restore(responsible)
  expect(await held()).toEqual(asBefore)

  // A role that somebody removed by hand stays removed.
  await replace([responsible, assignee], reviewer)
  await assign(0, [both.idUser, reviewer])
  await restore(responsible)
  await restore(assignee)
  expect(await held()).toEqual(['Responsible', 'Assignee', '', ''])
})
