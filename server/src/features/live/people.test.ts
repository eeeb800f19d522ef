import { acceptInvitation, setOrganizationMember } from '@tessera/contract/people/organizations'
import { setUserDataAdmin } from '@tessera/contract/people/users'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { createProject } from '@tessera/contract/projects/projects'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeUser } from '../../../test/fixtures/factories.ts'
import { listenTo } from '../../../test/servers/event-stream.ts'
import { startServer } from '../../../test/servers/server.ts'
import { run } from '../../db/db.ts'
import { audienceStatement } from '../../lib/proofs.ts'

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

test('each project that an administrator sees is read once, however many of them have the administrator as a member', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const admin = await makeUser(server.db, organization, { admin: true })
  await server.signedIn(admin, organization)
  const projects: number[] = []
  for (let n = 0; n < 3; n++) projects.push((await makeProject(server.db, organization)).projectId)
  for (const id of projects) await makeMember(server.db, organization, id, admin, [1])
  const sessions = await server.sql<{ hash: Buffer }>`select token_hash as hash from session where organization_id = ${organization}`
  const of = [organization, sessions.map(({ hash }) => hash), 60, 24, projects] as const
  const rows = await run(server.db, audienceStatement, of)
  expect(rows.map(row => row.projects.toSorted())).toEqual([projects.toSorted()])
})

test('whoever manages an organization is told when an invited person becomes a member', async () => {
  await using server = await startServer()
  const [organization, other] = [await makeOrganization(server.db), await makeOrganization(server.db)]
  const person = async (standing = {}) => server.signedIn(await makeUser(server.db, organization, standing), organization)
  const [admin, manager, member] = [await person({ admin: true }), await person({ manager: true }), await person()]
  await makeUser(server.db, other, { login: 'foreigner' })
  await server.as(admin, setOrganizationMember, { idOrganization: organization, LoginName: 'foreigner' })
  const [mailed] = await server.sql<{ text: string }>`
    select payload -> 'mail' ->> 'text' as text from graphile_worker._private_jobs order by id desc limit 1`
  const Token = /\/invitation\/(\S+)$/m.exec(mailed?.text ?? '')?.[1] ?? 'no token'
  const [managing, beside] = [await listenTo(server.app, manager), await listenTo(server.app, member)]
  expect((await server.as(null, acceptInvitation, { Token })).body).toEqual({ Success: 1 })
  await expect.poll(() => managing.received.map(({ event }) => event)).toEqual(['ready', 'resync'])
  expect(beside.received.map(({ event }) => event)).toEqual(['ready'])
})
