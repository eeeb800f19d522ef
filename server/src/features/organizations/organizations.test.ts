import {
  createOrganization,
  getBackupStatus,
  getOrganizationData,
  getOrganizationList,
  setOrganizationData,
} from '@tessera/contract/people/organizations'
import { expect, test } from 'vitest'
import { makeProject } from '../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../test/fixtures/refusals.ts'
import { organizationWorld } from '../../../test/fixtures/worlds/organization-world.ts'
import { startServer } from '../../../test/servers/server.ts'

test('the list of organizations: all for a super user, the managed for a manager, none for others [3.4] [7.6]', async () => {
  await using server = await startServer()
  const { acme, bolt, admin, manager, sam, member } = await organizationWorld(server)
  await server.sql`insert into organization_member (organization_id, user_id) values (${bolt}, ${manager.idUser})`
  const list = async (caller: typeof admin) => (await server.as(caller, getOrganizationList, {})).body
  expect(await list(sam)).toEqual([
    { idOrganization: acme, Description: 'Acme' },
    { idOrganization: bolt, Description: 'Bolt' },
  ])
  expect(await list(manager)).toEqual([{ idOrganization: acme, Description: 'Acme' }])
  expect(await list(admin)).toEqual([])
  expect(await list(member)).toEqual([])
  await expectRefusals(server, getOrganizationList, { input: {}, caller: sam })
})

test('only a super user creates organizations; titles are unique ignoring case [3.4] [7.8]', async () => {
  await using server = await startServer()
  const { admin, sam } = await organizationWorld(server)
  await expectRefusals(server, createOrganization, {
    input: { Title: 'New' },
    caller: sam,
    unpermitted: admin,
    bad: [
      [{ Title: '  ' }, 'Title'],
      [{ Title: 'x'.repeat(201) }, 'Title'],
    ],
  })
  const { body } = await server.as(sam, createOrganization, { Title: '  New  ' })
  expect(body).toEqual({ Success: 1, idOrganization: expect.any(Number) })
  expect((await server.as(sam, getOrganizationData, { idOrganization: body.idOrganization })).body).toEqual({
    idOrganization: body.idOrganization,
    Title: 'New',
    Projects: [],
    Members: [],
    Editable: 1,
  })
  expect(await server.as(sam, createOrganization, { Title: 'new' })).toMatchObject({ status: 422, body: { code: 'duplicate' } })
})

test('an organization shows its projects and members to those who run it', async () => {
  await using server = await startServer()
  const { acme, bolt, admin, manager, sam, member, foreigner, ann } = await organizationWorld(server)
  const project = await makeProject(server.db, acme, { title: 'One', shortCode: 'ONE' })
  const expected = {
    idOrganization: acme,
    Title: 'Acme',
    Projects: [{ idProject: project.projectId, Title: 'One', ShortCode: 'ONE', Archived: 0 }],
    Members: [
      { idUser: admin.idUser, LoginName: 'admin', FullName: '', Admin: 1, Manager: 0 },
      { idUser: ann, LoginName: 'ann', FullName: 'Ann Lee', Admin: 0, Manager: 0 },
      { idUser: manager.idUser, LoginName: 'manager', FullName: '', Admin: 0, Manager: 1 },
      { idUser: sam.idUser, LoginName: 'sam', FullName: '', Admin: 0, Manager: 0 },
    ],
  }
  const get = (caller: typeof admin, idOrganization: number) => server.as(caller, getOrganizationData, { idOrganization })
  expect((await get(admin, acme)).body).toEqual({ ...expected, Editable: 1 })
  expect((await get(sam, acme)).body).toEqual({ ...expected, Editable: 1 })
  expect((await get(manager, acme)).body).toEqual({ ...expected, Editable: 0 })
  expect((await get(sam, bolt)).body).toMatchObject({ Title: 'Bolt', Editable: 1 })
  expect((await get(sam, 99_999_999)).status).toBe(404)
  expect((await get(member, acme)).status).toBe(404)
  await expectRefusals(server, getOrganizationData, {
    input: { idOrganization: acme },
    caller: admin,
    foreigner,
    bad: [[{}, 'idOrganization']],
  })
})

test('an administrator renames the organization; a manager may only read', async () => {
  await using server = await startServer()
  const { acme, admin, manager, foreigner, member } = await organizationWorld(server)
  const input = { idOrganization: acme, Title: 'Acme & Sons' }
  await expectRefusals(server, setOrganizationData, {
    input,
    caller: admin,
    foreigner,
    unpermitted: manager,
    bad: [[{ ...input, Title: ' ' }, 'Title']],
  })
  expect((await server.as(member, setOrganizationData, input)).status).toBe(404)
  expect(await server.as(admin, setOrganizationData, { ...input, Title: 'bolt' })).toMatchObject({
    status: 422,
    body: { code: 'duplicate' },
  })
  expect((await server.as(admin, setOrganizationData, input)).body).toEqual({ Success: 1 })
  expect((await server.as(admin, getOrganizationData, { idOrganization: acme })).body.Title).toBe('Acme & Sons')
})

test('the state of the backups is for super users', async () => {
  await using server = await startServer()
  const { admin, sam } = await organizationWorld(server)
  await expectRefusals(server, getBackupStatus, { input: {}, caller: sam, unpermitted: admin })
  const status = async () => (await server.as(sam, getBackupStatus, {})).body
  expect(await status()).toMatchObject({ State: 'none', LastBackup: null, LastProven: null })
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await server.sql`insert into backup_run (started_at, finished_at, location, proven_at) values (${ago(50)}, ${ago(50)}, 'a', ${ago(50)})`
  expect(await status()).toMatchObject({ State: 'unproven', LastProven: expect.any(Number) })
  const recent = ago(2)
  await server.sql`insert into backup_run (started_at, finished_at, location, proven_at) values (${recent}, ${recent}, 'b', ${ago(1)})`
  expect(await status()).toMatchObject({ State: 'proven', LastBackup: Math.floor(recent.getTime() / 1000) })
  await server.sql`insert into backup_run (started_at, error) values (${ago(1)}, 'The disk is full')`
  expect(await status()).toMatchObject({ State: 'failed', Message: 'The disk is full', LastProven: expect.any(Number) })
  await server.sql`
    insert into backup_run (started_at, finished_at, location, warning) values (now(), now(), 'c', 'It was not proven')`
  expect(await status()).toMatchObject({ State: 'unproven', Message: 'It was not proven' })
  await server.sql`
    insert into backup_run (started_at, finished_at, location, warning, proven_at)
    values (now(), now(), 'c', 'Missing: a.jpg', now())`
  expect(await status()).toMatchObject({ State: 'incomplete', Message: 'Missing: a.jpg' })
  // One that is being written says nothing yet.
  await server.sql`insert into backup_run (started_at) values (now())`
  expect(await status()).toMatchObject({ State: 'incomplete' })
})
