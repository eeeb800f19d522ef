import { setTicketNotification } from '@tessera/contract/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/peopled-project.ts'
import { expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('the toggle writes the caller’s own subscription and no other [1.6] [7.23]', async () => {
  await using server = await startServer()
  const { organization, project, someone, foreigner } = await peopledProject(server)
  const idTicket = await makeTicket(server.db, organization, project)
  const caller = await someone([1])
  await someone([1]) // who must get none
  const rows = () =>
    server.db.selectFrom('subscription').select(['user_id', 'enabled']).where('organization_id', '=', organization).execute()

  for (const Notify of [1, 0, 0] as const) {
    expect((await server.as(caller, setTicketNotification, { idTicket, Notify })).body).toEqual({ Success: 1 })
    expect(await rows()).toEqual([{ user_id: caller.idUser, enabled: Notify === 1 }])
  }

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
