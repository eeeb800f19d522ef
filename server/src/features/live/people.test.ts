import { setUserDataAdmin } from '@tessera/contract/people/users'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { createProject } from '@tessera/contract/projects/projects'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeUser } from '../../../test/fixtures/factories.ts'
import { listenTo } from '../../../test/servers/event-stream.ts'
import { startServer } from '../../../test/servers/server.ts'

test('whoever manages an organization is told of its people and projects; a person whose projects an admin changes, and their members, of that', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const { projectId } = await makeProject(server.db, organization)
  const person = async (standing = {}) => server.signedIn(await makeUser(server.db, organization, standing), organization)
  const [admin, manager, member, ann] = [await person({ admin: true }), await person({ manager: true }), await person(), await person()]
  await makeMember(server.db, organization, projectId, member.idUser, [1])
  const readers: Awaited<ReturnType<typeof listenTo>>[] = []
  for (const caller of [manager, member, ann]) readers.push(await listenTo(server.app, caller))
  const heard = () =>
    readers.map(({ received }) => received.slice(1).map(({ event, data }) => (event === 'change' ? (data as LiveEvent).kind : event)))
  await server.as(admin, createProject, { Title: 'Harbour', ShortCode: 'HRB' })
  await expect.poll(heard).toEqual([['resync'], [], []])
  const set = (ProjectMembership: number[]) => server.as(admin, setUserDataAdmin, { idUser: ann.idUser, ProjectMembership })
  await set([projectId])
  const { name } = setUserDataAdmin
  await expect.poll(heard).toEqual([['resync', 'resync'], [name], [name]])
  await set([])
  await expect.poll(heard).toEqual([
    ['resync', 'resync', 'resync'],
    [name, name],
    [name, 'resync'],
  ])
})
