import { expect, test } from 'vitest'
import { searchWorld } from '../../../../test/fixtures/search-world.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('is:watched finds what the mails go to: by the toggle, else as creator or with a role, if the person wants that', async () => {
  await using server = await startServer()
  const { organization, project, user, titles, make } = await searchWorld(server)
  const of = { organization_id: organization }
  const expected: string[] = []
  for (const toggle of [null, true, false])
    for (const part of ['none', 'creator', 'role'] as const) {
      const id = await make(`${toggle} ${part}`)
      if (part === 'creator')
        await server.db
          .updateTable('ticket')
          .set({ created_by: user })
          .where('organization_id', '=', organization)
          .where('id', '=', id)
          .execute()
      if (part === 'role')
        await server.db
          .insertInto('assignment')
          .values({ ...of, project_id: project.projectId, ticket_id: id, role_id: project.roles.assignee, user_id: user })
          .execute()
      if (toggle !== null)
        await server.db
          .insertInto('subscription')
          .values({ ...of, ticket_id: id, user_id: user, enabled: toggle })
          .execute()
      if (toggle ?? part !== 'none') expected.push(`${toggle} ${part}`)
    }
  const wants = (yes: boolean) =>
    server.db.updateTable('user_account').set({ auto_receive_notifications: yes }).where('id', '=', user).execute()
  await wants(true)
  expect([expected.length, (await titles('is:watched')).sort()]).toEqual([5, expected.sort()])
  await wants(false)
  expect((await titles('is:watched')).sort()).toEqual(['true creator', 'true none', 'true role'])
})
