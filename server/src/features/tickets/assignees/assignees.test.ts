import { getProjectRoleList, getProjectUserList, getProjectUserroleList, getTicketRolelist } from '@tessera/contract/tickets/assignees'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeAssignment, makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('roles, members and assignments are those of the ticket’s project, by name [3.11] [3.23] [7.26] [7.27] [7.28] [7.29]', async () => {
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const other = await makeProject(server.db, organization)
  const idTicket = await makeTicket(server.db, organization, project)
  const [zoe, adam, outsider] = [
    await makeUser(server.db, organization, { login: 'a-login', fullName: 'Zoe' }),
    await makeUser(server.db, organization, { login: 'Adam' }),
    await makeUser(server.db, organization, { fullName: 'Outsider' }),
  ]
  for (const user of [zoe, adam]) await makeMember(server.db, organization, project.projectId, user, [1])
  await makeMember(server.db, organization, other.projectId, outsider, [1])
  await makeAssignment(server.db, organization, project, idTicket, zoe, 'reviewer')
  const caller = await server.signedIn(adam, organization)

  expect((await server.as(caller, getProjectUserList, { idTicket })).body).toEqual([
    { id: adam, text: 'Adam' },
    { id: zoe, text: 'Zoe' },
  ])
  expect((await server.as(caller, getProjectRoleList, { idTicket })).body).toEqual([
    { id: project.roles.responsible, text: 'Responsible' },
    { id: project.roles.assignee, text: 'Assignee' },
    { id: project.roles.reviewer, text: 'Reviewer' },
  ])
  expect((await server.as(caller, getProjectUserroleList, { idTicket })).body).toEqual([
    { idUser: zoe, idRole: project.roles.reviewer, Enabled: 1 },
  ])
  // In the given order; a person or role of another project is dropped, never named.
  const Assignees = [
    { idUser: zoe, idRole: project.roles.reviewer },
    { idUser: outsider, idRole: project.roles.reviewer },
    { idUser: adam, idRole: project.roles.assignee },
    { idUser: adam, idRole: other.roles.assignee },
  ]
  expect((await server.as(caller, getTicketRolelist, { idTicket, Assignees })).body).toEqual([
    { Name: 'Zoe', Role: 'Reviewer' },
    { Name: 'Adam', Role: 'Assignee' },
  ])
  expect((await server.as(caller, getTicketRolelist, { idTicket, Assignees: [] })).body).toEqual([])

  const elsewhere = await makeOrganization(server.db)
  const foreigner = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  const sameOrganization = await server.signedIn(outsider, organization)
  for (const call of [getProjectRoleList, getProjectUserList, getProjectUserroleList]) {
    await expectRefusals(server, call, { input: { idTicket }, caller, foreigner, bad: [[{ idTicket: 0 }, 'idTicket']] })
    expect((await server.as(sameOrganization, call, { idTicket })).status).toBe(404)
  }
  await expectRefusals(server, getTicketRolelist, {
    input: { idTicket, Assignees },
    caller,
    foreigner,
    bad: [
      [{ idTicket }, 'Assignees'],
      [{ idTicket, Assignees: [{ idUser: zoe }] }, 'Assignees.0.idRole'],
      [{ idTicket, Assignees: [{ idUser: zoe, idRole: '1' }] }, 'Assignees.0.idRole'],
    ],
  })
})

test('people who worked on the project lately come first; deactivated ones are listed only while they hold a role', async () => {
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const elsewhere = await makeProject(server.db, organization)
  const idTicket = await makeTicket(server.db, organization, project)
  const otherTicket = await makeTicket(server.db, organization, elsewhere)
  const person = async (login: string) => {
    const id = await makeUser(server.db, organization, { login })
    for (const { projectId } of [project, elsewhere]) await makeMember(server.db, organization, projectId, id, 'all')
    return id
  }
  const [ann, bob, cid, dora, eve] = [
    await person('ann'),
    await person('bob'),
    await person('cid'),
    await person('dora'),
    await person('eve'),
  ]
  const assign = (idUser: number, ticket: number) => makeAssignment(server.db, organization, project, ticket, idUser)
  await assign(dora, idTicket)
  for (const [who, ticket] of [
    [eve, idTicket],
    [cid, idTicket],
    [bob, otherTicket],
  ] as const)
    await server.as(await server.signedIn(who, organization), setTicketData, { idTicket: ticket, Title: `by ${who}` })
  const caller = await server.signedIn(ann, organization)
  const listed = async (input: object = {}) =>
    (await server.as(caller, getProjectUserList, { idTicket, ...input })).body.map(({ id }: { id: number }) => id)

  expect(await listed()).toEqual([ann, bob, cid, dora, eve])
  // Two changed a ticket of this project, the last one first; one holds a role; what is done elsewhere does not count.
  expect(await listed({ Recent: 1 })).toEqual([cid, eve, dora, ann, bob])

  await server.sql`update user_account set disabled = true where id = any(${[cid, dora]})`
  expect(await listed({ Recent: 1 })).toEqual([eve, dora, ann, bob])
})
