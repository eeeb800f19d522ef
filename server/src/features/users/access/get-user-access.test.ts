import { getUserAccess, setUserActive } from '@tessera/contract/people/users'
import { allPermissions, contributorPermissions } from '@tessera/contract/permissions'
import { setProjectData } from '@tessera/contract/projects/projects'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { expect, test } from 'vitest'
import { makeAssignment, makeMember, makeProject, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { usersWorld } from '../../../../test/fixtures/worlds/users-world.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { onRun } from '../../../db/db.ts'

test('an admin reads what a person may do in each project of the organization, archived ones too', async () => {
  await using server = await startServer()
  const { admin, manager, member, super: sam, foreigner, organization, elsewhere, project, foreignProject, ann } = await usersWorld(server)
  const nothing = { Active: 1, Super: 0, Admin: 0, Manager: 0, Projects: [], Total: 0, NextCursor: null }
  expect((await server.as(admin, getUserAccess, { idUser: ann })).body).toEqual(nothing)
  expect((await server.as(sam, getUserAccess, { idUser: admin.idUser })).body).toEqual({ ...nothing, Admin: 1 })
  expect((await server.as(admin, getUserAccess, { idUser: manager.idUser })).body).toEqual({ ...nothing, Manager: 1 })
  expect((await server.as(admin, getUserAccess, { idUser: sam.idUser })).body).toEqual({ ...nothing, Super: 1 })

  const old = await makeProject(server.db, organization, { title: 'École' })
  await makeMember(server.db, organization, project.projectId, ann, [...contributorPermissions])
  await makeMember(server.db, organization, old.projectId, ann, [...allPermissions])
  await server.as(admin, setProjectData, { idProject: old.projectId, Archived: 1 })
  await server.sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${ann})`
  await makeMember(server.db, elsewhere, foreignProject.projectId, ann, [1])
  // Two open tickets, on one of them with two roles; one that is closed and one in the trash do not count.
  const [twice, once, closed, trashed] = await Promise.all(
    [{}, {}, { stateId: project.states.done }, {}].map(options => makeTicket(server.db, organization, project, options)),
  )
  for (const idTicket of [twice, once, closed, trashed]) await makeAssignment(server.db, organization, project, idTicket as number, ann)
  await makeAssignment(server.db, organization, project, twice as number, ann, 'reviewer')
  expect((await server.as(admin, trashTicket, { idTicket: trashed as number })).status).toBe(200)
  const { status, body } = await server.as(admin, getUserAccess, { idUser: ann })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...nothing,
    Projects: [
      { idProject: old.projectId, Title: 'École', ShortCode: expect.any(String), Archived: 1, Permissions: [...allPermissions], Open: 0 },
      {
        idProject: project.projectId,
        Title: 'One',
        ShortCode: expect.any(String),
        Archived: 0,
        Permissions: [...contributorPermissions],
        Open: 2,
      },
    ],
    Total: 2,
  })
  expect((await server.as(foreigner, getUserAccess, { idUser: ann })).body.Projects.map(({ idProject }) => idProject)).toEqual([
    foreignProject.projectId,
  ])

  for (const unpermitted of [manager, member])
    await expectRefusals(server, getUserAccess, { input: { idUser: ann }, caller: admin, unpermitted, bad: [[{}, 'idUser']] })
  await expectRefusals(server, getUserAccess, { input: { idUser: manager.idUser }, caller: admin, foreigner })

  const cid = await makeUser(server.db, organization)
  await server.as(admin, setUserActive, { idUser: cid, Active: 0 })
  expect((await server.as(admin, getUserAccess, { idUser: cid })).body.Active).toBe(0)
})

test('the projects of a person come in pages of 100, each read by one statement', async () => {
  await using server = await startServer()
  const { admin, organization, ann } = await usersWorld(server)
  await server.sql`
    with made as (
      insert into project (organization_id, title, short_code) select ${organization}, 'Same ' || n / 50, 'S' || n
      from generate_series(1, 230) n returning id)
    insert into project_member (organization_id, project_id, user_id, permissions) select ${organization}, id, ${ann}, 1 from made`
  const reads: string[] = []
  onRun(({ text }) => {
    if (text.includes('project_member')) reads.push(text)
  })
  const sizes: number[] = []
  const seen = new Set<number>()
  const titles: string[] = []
  for (let Cursor: number | null | undefined; Cursor !== null; ) {
    const { body } = await server.as(admin, getUserAccess, { idUser: ann, ...(Cursor && { Cursor }) })
    expect(body.Total).toBe(230)
    sizes.push(body.Projects.length)
    titles.push(...body.Projects.map(({ Title }) => Title))
    for (const { idProject } of body.Projects) seen.add(idProject)
    Cursor = body.NextCursor
  }
  expect(sizes).toEqual([100, 100, 30])
  expect(seen.size).toBe(230)
  expect(titles).toEqual(titles.toSorted())
  expect(reads).toHaveLength(3)
})
