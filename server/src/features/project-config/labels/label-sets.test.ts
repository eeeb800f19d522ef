import { getChangeSetList } from '@tessera/contract/bulk'
import { deleteLabels, restoreLabels, setLabel } from '@tessera/contract/labels'
import { getTicketHistory, setTicketData } from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeProject, makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { connect, poolOf } from '../../../db/db.ts'
import { migrate } from '../../../db/schema/migrate.ts'

test('the restored label of an organization is listed in one project, with the tickets of that project alone', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const admin = await someone('all', { admin: true })
  const member = await someone([1])
  const elsewhere = await makeProject(server.db, organization)
  const label = { idProject, Label: 'merger', Color: '#336699', Scope: 'organization' } as const
  const { idLabel } = (await server.as(admin, setLabel, label)).body
  const idTicket = await makeTicket(server.db, organization, project)
  for (const of of [idTicket, await makeTicket(server.db, organization, elsewhere), await makeTicket(server.db, organization, elsewhere)])
    expect((await server.as(admin, setTicketData, { idTicket: of, Labels: [{ idLabel, Enabled: 1 }] })).status).toBe(200)
  await server.as(admin, deleteLabels, { idProject, ids: [idLabel] })
  // The answer is the admin's, who sees every project.
  expect((await server.as(admin, restoreLabels, { idProject, ids: [idLabel] })).body).toEqual({ Success: 1, Tickets: 3 })

  expect((await server.as(member, getChangeSetList, { idProject })).body).toMatchObject([
    { What: 'restore', Tickets: 1, Some: [idTicket], Changes: [{ Field: 'Labels', How: 'added', Value: 'merger' }] },
  ])
  expect((await server.as(member, getTicketHistory, { idTicket })).body.Changes[0]?.Set).toMatchObject({ What: 'restore', Tickets: 1 })

  // As it was stored before.
  await sql`update change_set_summary set tickets = 3 where organization_id = ${organization}`.execute(server.db)
  await sql`/* all organizations: job */ delete from migration where name = '0056-tickets-of-restored-labels.sql'`.execute(server.db)
  const { host, port, user, database } = poolOf(server.db).options
  const owner = connect({ host, port, user, database }, { poolSize: 1 })
  expect((await migrate(owner)).applied).toHaveLength(1)
  await owner.destroy()
  expect((await server.as(member, getChangeSetList, { idProject })).body).toMatchObject([{ Tickets: 1 }])
})
