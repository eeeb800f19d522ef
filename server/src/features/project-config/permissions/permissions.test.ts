import { allPermissions, permission, permissionTypes } from '@tessera/contract/permissions'
import { getUserPermissions, setUserPermission, setUserPermissions } from '@tessera/contract/projects/project-config'
import { getProjectData, removeProjectMember } from '@tessera/contract/projects/projects'
import { expect, test } from 'vitest'
import { makeMember, makeUser } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { rounds } from '../../../../test/torture/tools/product.ts'

const server = await serverOfFile()

async function setUp() {
  const made = await peopledProject(server)
  const { organization, idProject, elsewhere, foreign, foreigner } = made
  const someone = (login: string, permissions: readonly number[] | 'all') =>
    made.someone(permissions, { login: `${login}-${organization}` })
  const foreignMember = await makeMember(server.db, elsewhere, foreign.projectId, foreigner.idUser)
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  const matrix = async () => (await server.as(admin, getUserPermissions, { idProject })).body
  const of = async (idProjectMember: number) => (await matrix()).find(({ id }) => id === idProjectMember)?.Permissions
  return { organization, idProject, someone, foreignMember, foreigner, admin, matrix, of }
}

test('get-user-permissions: members by login, for managers of permissions only [3.17] [7.44]', async () => {
  const { organization, idProject, someone, foreigner } = await setUp()
  const zoe = await someone('Zoe', [1, 11])
  const amy = await someone('amy', [1, 3])
  const blind = await someone('Bea', [2, 11])
  expect((await server.as(zoe, getUserPermissions, { idProject })).body).toEqual([
    { id: amy.idProjectMember, Login: `amy-${organization}`, Permissions: [1, 3] },
    { id: blind.idProjectMember, Login: `Bea-${organization}`, Permissions: [2, 11] },
    { id: zoe.idProjectMember, Login: `Zoe-${organization}`, Permissions: [1, 11] },
  ])
  await expectRefusals(server, getUserPermissions, { input: { idProject }, caller: zoe, foreigner, unpermitted: amy })
  expect((await server.as(blind, getUserPermissions, { idProject })).status).toBe(404)
})

test('set-user-permission toggles, or sets what Enabled says, effective on the next request [7.45]', async () => {
  const { organization, idProject, someone, foreigner, foreignMember, of } = await setUp()
  const caller = await someone('caller', 'all')
  const target = await someone('target', [2])
  const { idProjectMember } = target
  const set = (idPermission: number, Enabled?: 0 | 1) =>
    server.as(caller, setUserPermission, { idProject, idProjectMember, idPermission, ...(Enabled === undefined ? {} : { Enabled }) })
  expect((await server.as(target, getProjectData, { idProject })).status).toBe(404)
  expect((await set(1)).body).toEqual({ Success: 1, Enabled: 1 })
  expect((await server.as(target, getProjectData, { idProject })).body.Permissions).toEqual([1, 2])
  expect((await set(1, 1)).body).toEqual({ Success: 1, Enabled: 1 })
  expect((await set(2)).body).toEqual({ Success: 1, Enabled: 0 })
  expect((await set(2, 0)).body).toEqual({ Success: 1, Enabled: 0 })
  for (const { id } of permissionTypes) await set(id, 1)
  expect(await of(idProjectMember)).toEqual(allPermissions)
  await set(1, 0)
  expect((await server.as(target, getProjectData, { idProject })).status).toBe(404)
  const rows = await server.sql<{ field: string; before: string; after: string }>`
    select field, before, after from change where organization_id = ${organization} order by id limit 2`
  expect(rows).toEqual([
    { field: 'View tickets', before: '0', after: '1' },
    { field: 'Create tickets', before: '1', after: '0' },
  ])
  expect((await server.as(caller, setUserPermission, { idProject, idProjectMember: foreignMember, idPermission: 1 })).status).toBe(404)
  const input = { idProject, idProjectMember, idPermission: 3, Enabled: 0 as const }
  const unpermitted = await someone('unpermitted', allBut(permission.managePermissions))
  await expectRefusals(server, setUserPermission, {
    input,
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ ...input, idPermission: 14 }, 'idPermission'],
      [{ ...input, idPermission: 0 }, 'idPermission'],
      [{ ...input, Enabled: true }, 'Enabled'],
    ],
  })
})

test('nobody grants or revokes what they do not hold', async () => {
  const { idProject, someone, admin, of } = await setUp()
  const manager = await someone('manager', [1, 2, 11])
  const target = await someone('target', [1, 3])
  const set = (who: typeof admin, idPermission: number, Enabled: 0 | 1, idProjectMember = target.idProjectMember) =>
    server.as(who, setUserPermission, { idProject, idProjectMember, idPermission, Enabled })
  const before = await databaseDigest(server.db)
  for (const idPermission of allPermissions.filter(id => ![1, 2, 11].includes(id)))
    for (const Enabled of [0, 1] as const)
      for (const member of [target.idProjectMember, manager.idProjectMember])
        expect(await set(manager, idPermission, Enabled, member)).toMatchObject({
          status: 422,
          body: { code: 'not_permitted', needs: permissionTypes.find(({ id }) => id === idPermission)?.Description },
        })
  expect(await databaseDigest(server.db)).toBe(before)
  expect((await set(manager, 2, 1)).status).toBe(200)
  expect((await set(admin, 13, 1)).status).toBe(200)
  expect(await of(target.idProjectMember)).toEqual([1, 2, 3, 13])
})

test('the last member who manages permissions cannot lose the right by any call, unless an admin does it', async () => {
  const { idProject, someone, admin, of } = await setUp()
  const last = await someone('last', 'all')
  const { idProjectMember } = last
  await someone('blind', [11])
  const before = await databaseDigest(server.db)
  const set = (who: typeof admin, idPermission: number, Enabled?: 0) =>
    server.as(who, setUserPermission, { idProject, idProjectMember, idPermission, ...(Enabled === undefined ? {} : { Enabled }) })
  for (const idPermission of [1, 11]) {
    expect(await set(last, idPermission, 0)).toMatchObject({ status: 422, body: { code: 'rule' } })
    expect(await set(last, idPermission)).toMatchObject({ status: 422, body: { code: 'rule' } })
  }
  expect(await server.as(last, removeProjectMember, { idProject, idProjectMember })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect(await databaseDigest(server.db)).toBe(before)
  const second = await someone('second', [1, 11])
  expect((await set(last, 11, 0)).status).toBe(200)
  expect((await set(last, 11, 0)).body).toMatchObject({ code: 'not_permitted' })
  expect(
    (await server.as(admin, setUserPermission, { idProject, idProjectMember: second.idProjectMember, idPermission: 11, Enabled: 0 }))
      .status,
  ).toBe(200)
  expect(await of(second.idProjectMember)).toEqual([1])
})

test('a deactivated person does not count as a holder of the right, and may lose it', async () => {
  const { idProject, someone } = await setUp()
  const last = await someone('last', 'all')
  const gone = await someone('gone', 'all')
  await server.sql`update user_account set disabled = true where id = ${gone.idUser}`
  const { idProjectMember } = last
  const before = await databaseDigest(server.db)
  const refused = { status: 422, body: { code: 'rule' } }
  for (const idPermission of [1, 11])
    expect(await server.as(last, setUserPermission, { idProject, idProjectMember, idPermission, Enabled: 0 })).toMatchObject(refused)
  expect(await server.as(last, setUserPermissions, { idProject, Members: [{ idProjectMember, Permissions: [1] }] })).toMatchObject(refused)
  expect(await server.as(last, removeProjectMember, { idProject, idProjectMember })).toMatchObject(refused)
  expect(await databaseDigest(server.db)).toBe(before)
  const off = { idProject, idProjectMember: gone.idProjectMember }
  expect((await server.as(last, setUserPermission, { ...off, idPermission: 11, Enabled: 0 })).status).toBe(200)
  expect((await server.as(last, removeProjectMember, off)).status).toBe(200)
})

test('two toggles at once cancel each other; two equal settings at once end as set', async () => {
  const { idProject, someone, of } = await setUp()
  const [ann, bob] = [await someone('ann', 'all'), await someone('bob', 'all')]
  const { idProjectMember } = await someone('target', [1])
  for (let race = 0; race < rounds(4); race++) {
    const toggle = { idProject, idProjectMember, idPermission: 5 }
    const toggled = await Promise.all([server.as(ann, setUserPermission, toggle), server.as(bob, setUserPermission, toggle)])
    expect(toggled.map(({ body }) => body.Enabled).sort()).toEqual([0, 1])
    const Enabled = race % 2 === 0 ? 1 : 0
    const settings = await Promise.all([ann, bob].map(who => server.as(who, setUserPermission, { ...toggle, idPermission: 6, Enabled })))
    expect(settings.map(({ body }) => body)).toEqual(Array(2).fill({ Success: 1, Enabled }))
  }
  // The last setting of an odd number of rounds is 1.
  expect(await of(idProjectMember)).toEqual(rounds(4) % 2 === 0 ? [1] : [1, 6])
})

test('different permissions of one member set at once: none is lost', async () => {
  const { idProject, someone, of } = await setUp()
  const caller = await someone('caller', 'all')
  const { idProjectMember } = await someone('target', [1])
  for (let race = 0; race < rounds(4); race++) {
    const Enabled = race % 2 === 0 ? 1 : 0
    await Promise.all(
      [2, 3, 4].map(idPermission => server.as(caller, setUserPermission, { idProject, idProjectMember, idPermission, Enabled })),
    )
    expect(await of(idProjectMember)).toEqual(Enabled === 1 ? [1, 2, 3, 4] : [1])
  }
})

test('two people who revoke the right from each other at once: one of them keeps it', async () => {
  const { idProject, someone, admin, matrix } = await setUp()
  const [ann, bob] = [await someone('ann', [1, 11]), await someone('bob', [1, 11])]
  for (let race = 0; race < rounds(4); race++) {
    const take = (who: typeof ann, from: typeof ann) =>
      server.as(who, setUserPermission, { idProject, idProjectMember: from.idProjectMember, idPermission: 11, Enabled: 0 })
    const answers = await Promise.all(race % 2 ? [take(ann, bob), take(bob, ann)] : [take(ann, ann), take(bob, bob)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    const holders = (await matrix()).filter(({ Permissions }) => Permissions.includes(11))
    expect(holders).toHaveLength(1)
    for (const { idProjectMember } of [ann, bob])
      await server.as(admin, setUserPermission, { idProject, idProjectMember, idPermission: 11, Enabled: 1 })
  }
})

test('set-user-permissions sets several members at once, all or none, within what the caller holds; its answer can be used to undo it', async () => {
  const { organization, idProject, someone, foreigner, foreignMember, of } = await setUp()
  const caller = await someone('caller', allBut(permission.manageProject))
  const [one, two] = [await someone('one', [1]), await someone('two', [1, 2, 13])]
  const unpermitted = await someone('unpermitted', allBut(permission.managePermissions))
  const set = (Members: { idProjectMember: number; Permissions: number[]; Before?: number[] }[], who = caller) =>
    server.as(who, setUserPermissions, { idProject, Members })
  const to = (member: typeof one, ...Permissions: number[]) => ({ idProjectMember: member.idProjectMember, Permissions })

  const before = await databaseDigest(server.db)
  // What the caller does not hold may stay, and is neither granted nor revoked.
  expect(await set([to(one, 1, 3), to(two, 1)])).toMatchObject({ status: 422, body: { code: 'not_permitted', needs: 'Manage project' } })
  expect((await set([to(one, 1, 3), { idProjectMember: foreignMember, Permissions: [] }])).status).toBe(404)
  expect((await set([to(one, 1), to(one, 2)])).status).toBe(400)
  expect((await set([to(caller), to(one, 1, 3)])).body).toMatchObject({ code: 'rule' })
  expect(await databaseDigest(server.db)).toBe(before)

  const { Before } = (await set([to(one, 1, 3), to(two, 1, 4, 13), to(caller, ...allBut(permission.manageProject))])).body
  expect(Before).toEqual([to(one, 1), to(two, 1, 2, 13)])
  expect([await of(one.idProjectMember), await of(two.idProjectMember)]).toEqual([
    [1, 3],
    [1, 4, 13],
  ])
  const rows = await server.sql`
    select user_id as by, subject_id as of, field, before, after, change_set_id = min(change_set_id) over () as together
    from change where organization_id = ${organization} order by id`
  const change = (of: number, field: string, after: 0 | 1) => ({
    by: caller.idUser,
    of,
    field,
    before: String(1 - after),
    after: String(after),
    together: true,
  })
  expect(rows).toEqual([
    change(one.idUser, 'Edit tickets', 1),
    change(two.idUser, 'Create tickets', 0),
    change(two.idUser, 'Change state', 1),
  ])
  // An UNDO that names what it takes back leaves alone what somebody has set since.
  const stale = await set([
    { ...to(one, 1), Before: [1, 3] },
    { ...to(two, 1, 2, 13), Before: [1, 4] },
  ])
  expect(stale).toMatchObject({ status: 409, body: { code: 'conflict', Members: [to(one, 1, 3), to(two, 1, 4, 13)] } })
  expect(await of(one.idProjectMember)).toEqual([1, 3])
  await set([
    { ...to(one, 1), Before: [3, 1] },
    { ...to(two, 1, 2, 13), Before: [1, 4, 13] },
  ])
  expect([await of(one.idProjectMember), await of(two.idProjectMember)]).toEqual([[1], [1, 2, 13]])
  const Members = [to(one, 1, 6)]
  await expectRefusals(server, setUserPermissions, {
    input: { idProject, Members },
    caller,
    foreigner,
    unpermitted,
    bad: [
      [{ idProject, Members: [] }, 'Members'],
      [{ idProject, Members: [to(one, 14)] }, 'Members.0.Permissions.0'],
      [{ idProject, Members: [to(one, 1, 1)] }, 'Members.0.Permissions'],
    ],
  })
})
