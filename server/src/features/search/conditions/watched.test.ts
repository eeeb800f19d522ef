import { expect, test } from 'vitest'
import { makeAssignment, makeMember, makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('is:watched finds the tickets whose mails the person gets: by the toggle, or as creator or by a role if the profile says so', async () => {
  const { organization, project, user, titles, make } = await searchWorld(server)
  const expected: string[] = []
  for (const toggle of [null, true, false])
    for (const part of ['none', 'creator', 'role'] as const) {
      const id = await make(`${toggle} ${part}`)
      if (part === 'creator')
        await server.sql`update ticket set created_by = ${user} where organization_id = ${organization} and id = ${id}`
      if (part === 'role') await makeAssignment(server.db, organization, project, id, user)
      if (toggle !== null)
        await server.sql`
          insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organization}, ${id}, ${user}, ${toggle})`
      if (toggle ?? part !== 'none') expected.push(`${toggle} ${part}`)
    }
  const wants = (yes: boolean) => server.sql`update user_account set auto_receive_notifications = ${yes} where id = ${user}`
  await wants(true)
  expect([expected.length, (await titles('is:watched')).sort()]).toEqual([5, expected.sort()])
  // `me` beside another name takes the other way: the condition for any people, not the one for the caller.
  expect((await titles('watcher:me,nobody')).sort()).toEqual(expected)
  expect(await titles('-watcher:me,nobody')).toHaveLength(4)
  await wants(false)
  for (const query of ['is:watched', 'watcher:me,nobody'])
    expect((await titles(query)).sort()).toEqual(['true creator', 'true none', 'true role'])
})

test('watcher: finds the tickets that a person watches and may view', async () => {
  const { organization, project, titles, make } = await searchWorld(server)
  const noor = await makeUser(server.db, organization, { login: `noor-${organization}` })
  await makeMember(server.db, organization, project.projectId, noor, [1])
  const ticket_id = await make('boat')
  await make('ship')
  await server.sql`
    insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organization}, ${ticket_id}, ${noor}, true)`
  const found = async () => [await titles(`watcher:noor-${organization}`), await titles('watcher:none')]
  expect(await found()).toEqual([['boat'], ['ship']])
  const membership = server.db.updateTable('project_member').where('organization_id', '=', organization).where('user_id', '=', noor)
  await membership.set({ permissions: 2 }).execute()
  expect(await found()).toEqual([[], ['ship', 'boat']])
  const member = server.db.updateTable('organization_member').where('organization_id', '=', organization).where('user_id', '=', noor)
  await member.set({ admin: true }).execute()
  expect(await found()).toEqual([['boat'], ['ship']])
  await server.sql`update user_account set disabled = true where id = ${noor}`
  expect(await found()).toEqual([[], ['ship', 'boat']])
  await server.sql`update user_account set disabled = false where id = ${noor}`
  await server.sql`delete from project_member where organization_id = ${organization} and user_id = ${noor}`
  await member.set({ admin: false }).execute()
  expect(await found()).toEqual([[], ['ship', 'boat']])
  await server.sql`update user_account set super = true where id = ${noor}`
  expect(await found()).toEqual([['boat'], ['ship']])
})

test('watcher: finds no ticket of a project that the watcher may not view', async () => {
  const { organization, project, hidden, user, titles } = await searchWorld(server)
  await makeMember(server.db, organization, hidden.projectId, user, 'all')
  const noor = await makeUser(server.db, organization, { login: `noor-${organization}` })
  await makeMember(server.db, organization, project.projectId, noor, [1])
  await makeMember(server.db, organization, hidden.projectId, noor, [2])
  for (const of of [project, hidden]) {
    const title = of === project ? 'seen' : 'unseen'
    const [toggled, made, held] = [
      await makeTicket(server.db, organization, of, { title: `${title} toggled` }),
      await makeTicket(server.db, organization, of, { title: `${title} made` }),
      await makeTicket(server.db, organization, of, { title: `${title} held` }),
    ]
    await server.sql`insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organization}, ${toggled}, ${noor}, true)`
    await server.sql`update ticket set created_by = ${noor} where organization_id = ${organization} and id = ${made}`
    await makeAssignment(server.db, organization, of, held, noor)
  }
  expect((await titles(`watcher:noor-${organization}`)).sort()).toEqual(['seen held', 'seen made', 'seen toggled'])
})

test('me is the caller, and in quotation marks the person with that login or name', async () => {
  const { organization, project, user, titles, make } = await searchWorld(server)
  const namesake = await makeUser(server.db, organization, { login: `m-${organization}`, fullName: 'Me' })
  await makeMember(server.db, organization, project.projectId, namesake, [1])
  for (const [title, person] of [
    ['own', user],
    ['theirs', namesake],
  ] as const) {
    const id = await make(title)
    await server.sql`insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organization}, ${id}, ${person}, true)`
    await server.sql`update ticket set created_by = ${person} where organization_id = ${organization} and id = ${id}`
    await makeAssignment(server.db, organization, project, id, person)
  }
  const found = async (query: string) => (await titles(query)).sort()
  for (const name of ['watcher', 'creator', 'assignee'])
    for (const [values, expected] of [
      ['me', ['own']],
      ['"me"', ['theirs']],
      ['me,"me"', ['own', 'theirs']],
      ['me,nobody', ['own']],
    ] as const)
      expect([name, values, await found(`${name}:${values}`)]).toEqual([name, values, expected])
})
