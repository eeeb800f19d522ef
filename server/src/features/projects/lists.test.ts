import { getProjectList, getProjectProperty } from '@tessera/contract/projects/projects'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

test('get-project-list: what the caller may see; GetAll widens it for admins, managers and super users alone [3.5] [7.5]', async () => {
  const organization = await makeOrganization(server.db)
  const elsewhere = await makeOrganization(server.db)
  const made = (title: string, shortCode: string, organizationId = organization) =>
    makeProject(server.db, organizationId, { title, shortCode })
  const { projectId: beta } = await made('beta', 'BE')
  const { projectId: alpha } = await made('Alpha', 'AL')
  const { projectId: old } = await made('Old', 'OL')
  const { projectId: blind } = await made('Blind', 'BL')
  const { projectId: foreign } = await made('Foreign', 'FO', elsewhere)
  await server.sql`update project set archived_at = now() where organization_id = ${organization} and id = ${old}`

  const memberId = await makeUser(server.db, organization)
  for (const project of [beta, alpha, old]) await makeMember(server.db, organization, project, memberId, [1])
  await makeMember(server.db, organization, blind, memberId, [2, 3])
  await server.sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${memberId})`
  await makeMember(server.db, elsewhere, foreign, memberId, 'all')
  const titles = async (idUser: number, input: { GetAll?: 0 | 1; Archived?: 0 | 1 }) =>
    (await server.as(await server.signedIn(idUser, organization), getProjectList, input)).body.map(({ Title }) => Title)

  const member = await server.signedIn(memberId, organization)
  const list = [
    { idProject: alpha, Title: 'Alpha', ShortCode: 'AL' },
    { idProject: beta, Title: 'beta', ShortCode: 'BE' },
  ]
  expect((await server.as(member, getProjectList, {})).body).toEqual(list)
  expect((await server.as(member, getProjectList, { GetAll: 1 })).body).toEqual(list)
  expect((await server.as(member, getProjectList, { Archived: 1 })).body).toEqual([
    ...list.map(project => ({ ...project, Archived: 0 })),
    { idProject: old, Title: 'Old', ShortCode: 'OL', Archived: 1 },
  ])
  const all = ['Alpha', 'beta', 'Blind', 'Old']
  const admin = await makeUser(server.db, organization, { admin: true })
  expect(await titles(admin, {})).toEqual(['Alpha', 'beta', 'Blind'])
  expect(await titles(admin, { GetAll: 1 })).toEqual(all)
  const manager = await makeUser(server.db, organization, { manager: true })
  expect(await titles(admin, { Archived: 1 })).toEqual(all)
  expect(await titles(manager, {})).toEqual([])
  expect(await titles(manager, { Archived: 1 })).toEqual([])
  expect(await titles(manager, { GetAll: 1 })).toEqual(all)
  expect(await titles(await makeUser(server.db, null, { super: true }), { GetAll: 1 })).toEqual(all)
  await expectRefusals(server, getProjectList, { input: {}, caller: member, bad: [[{ GetAll: true }, 'GetAll']] })
})

test('get-project-list with Counts: open tickets of each project, and those of the caller, each once', async () => {
  const organization = await makeOrganization(server.db)
  const elsewhere = await makeOrganization(server.db)
  const [me, other] = [await makeUser(server.db, organization), await makeUser(server.db, organization)]
  await server.sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${me})`
  const admin = await makeUser(server.db, organization, { admin: true })
  async function filled(title: string, organizationId: number) {
    const project = await makeProject(server.db, organizationId, { title, shortCode: title.slice(0, 2).toUpperCase() })
    await makeMember(server.db, organizationId, project.projectId, me, 'all')
    const { open, doing, done } = project.states
    const tickets = []
    for (const stateId of [open, open, doing, done, done]) tickets.push(await makeTicket(server.db, organizationId, project, { stateId }))
    return { project, tickets }
  }
  const assign = (
    { project, tickets }: Awaited<ReturnType<typeof filled>>,
    organizationId: number,
    at: number,
    user: number,
    role: 'assignee' | 'reviewer',
  ) =>
    server.sql`insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
      values (${organizationId}, ${project.projectId}, ${tickets[at]}, ${user}, ${project.roles[role]})`
  const alpha = await filled('Alpha', organization)
  const beta = await filled('Beta', organization)
  const foreign = await filled('Foreign', elsewhere)
  await makeMember(server.db, organization, alpha.project.projectId, other, [1])
  await assign(alpha, organization, 0, me, 'assignee')
  await assign(alpha, organization, 0, me, 'reviewer')
  await assign(alpha, organization, 1, me, 'assignee')
  await assign(alpha, organization, 2, other, 'assignee')
  // Done, and in another organization: neither counts.
  await assign(alpha, organization, 3, me, 'assignee')
  await assign(foreign, elsewhere, 0, me, 'assignee')
  const caller = await server.signedIn(me, organization)
  const counts = async (by = caller) =>
    (await server.as(by, getProjectList, { Counts: 1 })).body.map(({ Title, Open, Mine }) => [Title, Open, Mine])
  expect(await counts()).toEqual([
    ['Alpha', 3, 2],
    ['Beta', 3, 0],
  ])
  expect(await counts(await server.signedIn(other, organization))).toEqual([['Alpha', 3, 1]])
  expect(await counts(await server.signedIn(admin, organization))).toEqual([
    ['Alpha', 3, 0],
    ['Beta', 3, 0],
  ])
  expect((await server.as(caller, trashTicket, { idTicket: alpha.tickets[1] as number })).status).toBe(200)
  const done = { idTicket: beta.tickets[0] as number, State: beta.project.states.done }
  expect((await server.as(caller, setTicketData, done)).status).toBe(200)
  expect(await counts()).toEqual([
    ['Alpha', 2, 1],
    ['Beta', 2, 0],
  ])
  expect(Object.keys((await server.as(caller, getProjectList, {})).body[0] ?? {})).toEqual(['idProject', 'Title', 'ShortCode'])
})

test('get-project-property answers the short code [7.16]', async () => {
  const { idProject, someone, foreigner } = await peopledProject(server, { shortCode: 'APO' })
  const ann = await someone([1])
  const input = { idProject, Properties: ['pcode' as const] }
  expect((await server.as(ann, getProjectProperty, input)).body).toEqual({ pcode: 'APO' })
  await expectRefusals(server, getProjectProperty, {
    input,
    caller: ann,
    foreigner,
    bad: [[{ idProject, Properties: ['Title'] }, 'Properties.0']],
  })
})
