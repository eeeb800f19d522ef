import { allPermissions } from '@tessera/contract/permissions'
import { setProjectData } from '@tessera/contract/projects/projects'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification, setTicketWatcher } from '@tessera/contract/tickets/watchers'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('the toggle writes the caller’s own subscription and no other [1.6] [7.23]', async () => {
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
})

test('in an archived project and in the trash people turn their own mails on and off, and nobody else’s [1.6]', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const other = await someone([1])
  const archive = (Archived: 0 | 1) => server.as(caller, setProjectData, { idProject, Archived })
  const close: ((idTicket: number) => Promise<{ status: number }>)[] = [
    idTicket => server.as(caller, trashTicket, { idTicket }),
    () => archive(1),
  ]
  for (const shut of close) {
    const idTicket = await makeTicket(server.db, organization, project)
    expect((await shut(idTicket)).status).toBe(200)
    const isOn = async () => (await server.as(caller, getTicketData, { idTicket })).body.NotificationSubscription
    for (const on of [1, 0] as const) {
      expect((await server.as(caller, setTicketNotification, { idTicket, Notify: on })).status).toBe(200)
      expect(await isOn()).toBe(on)
    }
    for (const on of [1, 0] as const) {
      expect((await server.as(caller, setTicketWatcher, { idTicket, idUser: caller.idUser, Watch: on })).status).toBe(200)
      expect(await isOn()).toBe(on)
    }
    const { status } = await server.as(caller, setTicketWatcher, { idTicket, idUser: other.idUser, Watch: 1 })
    expect(status).toBe(422)
  }
})
