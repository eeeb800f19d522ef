import { setTicketNotification } from '@tessera/contract/tickets'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../../../test/factories.ts'
import { expectRefusals } from '../../../../test/refusals.ts'
import { startServer } from '../../../../test/server.ts'

test('the toggle writes the caller’s own subscription and no other [1.6] [7.23]', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization)
  const idTicket = await makeTicket(server.db, organization, project)
  const [ann, bob] = [await makeUser(server.db, organization), await makeUser(server.db, organization)]
  for (const user of [ann, bob]) await makeMember(server.db, organization, project.projectId, user, [1])
  const caller = await server.signedIn(ann, organization)
  const rows = () =>
    server.db.selectFrom('subscription').select(['user_id', 'enabled']).where('organization_id', '=', organization).execute()

  for (const Notify of [1, 0, 0] as const) {
    expect((await server.as(caller, setTicketNotification, { idTicket, Notify })).body).toEqual({ Success: 1 })
    expect(await rows()).toEqual([{ user_id: ann, enabled: Notify === 1 }])
  }

  const elsewhere = await makeOrganization(server.db)
  const foreigner = await server.signedIn(await makeUser(server.db, elsewhere, { admin: true }), elsewhere)
  await expectRefusals(server, setTicketNotification, {
    input: { idTicket, Notify: 1 },
    caller,
    foreigner,
    bad: [
      [{ idTicket, Notify: true }, 'Notify'],
      [{ idTicket, Notify: 2 }, 'Notify'],
      [{ idTicket }, 'Notify'],
    ],
  })
  await server.db.updateTable('project').set({ archived_at: new Date() }).where('organization_id', '=', organization).execute()
  expect((await server.as(caller, setTicketNotification, { idTicket, Notify: 1 })).status).toBe(422)
})
