import { getProjectList, getProjectProperty } from '@tessera/contract/projects'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeUser } from '../../../test/factories.ts'
import { peopledProject } from '../../../test/peopled-project.ts'
import { expectRefusals } from '../../../test/refusals.ts'
import { startServer } from '../../../test/server.ts'

test('get-project-list: what the caller may see; GetAll widens it for admins, managers and super users alone [3.5] [7.5]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const elsewhere = await makeOrganization(server.db)
  const made = (title: string, shortCode: string, organizationId = organization) =>
    makeProject(server.db, organizationId, { title, shortCode })
  const { projectId: beta } = await made('beta', 'BE')
  const { projectId: alpha } = await made('Alpha', 'AL')
  const { projectId: old } = await made('Old', 'OL')
  const { projectId: blind } = await made('Blind', 'BL')
  const { projectId: foreign } = await made('Foreign', 'FO', elsewhere)
  await sql`update project set archived_at = now() where organization_id = ${organization} and id = ${old}`.execute(server.db)

  const memberId = await makeUser(server.db, organization)
  for (const project of [beta, alpha, old]) await makeMember(server.db, organization, project, memberId, [1])
  await makeMember(server.db, organization, blind, memberId, [2, 3])
  await sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${memberId})`.execute(server.db)
  await makeMember(server.db, elsewhere, foreign, memberId, 'all')
  const titles = async (idUser: number, input: { GetAll?: 0 | 1 }) =>
    (await server.as(await server.signedIn(idUser, organization), getProjectList, input)).body.map(({ Title }) => Title)

  const member = await server.signedIn(memberId, organization)
  const list = [
    { idProject: alpha, Title: 'Alpha', ShortCode: 'AL' },
    { idProject: beta, Title: 'beta', ShortCode: 'BE' },
  ]
  expect((await server.as(member, getProjectList, {})).body).toEqual(list)
  expect((await server.as(member, getProjectList, { GetAll: 1 })).body).toEqual(list)
  const all = ['Alpha', 'beta', 'Blind', 'Old']
  const admin = await makeUser(server.db, organization, { admin: true })
  expect(await titles(admin, {})).toEqual(['Alpha', 'beta', 'Blind'])
  expect(await titles(admin, { GetAll: 1 })).toEqual(all)
  const manager = await makeUser(server.db, organization, { manager: true })
  expect(await titles(manager, {})).toEqual([])
  expect(await titles(manager, { GetAll: 1 })).toEqual(all)
  expect(await titles(await makeUser(server.db, null, { super: true }), { GetAll: 1 })).toEqual(all)
  await expectRefusals(server, getProjectList, { input: {}, caller: member, bad: [[{ GetAll: true }, 'GetAll']] })
})

test('get-project-property answers the short code [7.16]', async () => {
  await using server = await startServer()
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
