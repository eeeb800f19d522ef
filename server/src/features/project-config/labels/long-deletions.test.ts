import { deleteLabels, setLabel } from '@tessera/contract/projects/labels'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { acrossOrganizations } from '../../../db/guard/across-organizations.ts'

// Citus allows no triggers on distributed tables.
test.skipIf(process.env.TESSERA_TEST_DATABASE === 'citus')('a deletion that is stopped says what to do, and changes nothing', async () => {
  await using server = await startServer()
  const { organization, idProject, project, someone } = await peopledProject(server)
  const caller = await someone([1, 3, 8])
  const idTicket = await makeTicket(server.db, organization, project)
  const { body } = await server.as(caller, setLabel, { idProject, Label: 'Bug' })
  await server.as(caller, setTicketData, { idTicket, Labels: [{ idLabel: body.idLabel, Enabled: 1 }] })

  await sql`${acrossOrganizations('operator')} create function sleep_long() returns trigger language plpgsql as $$
    begin perform pg_sleep(30); return old; end $$`.execute(server.db)
  await sql`${acrossOrganizations('operator')} create trigger sleep_long before delete on label for each row execute function sleep_long()`.execute(
    server.db,
  )
  const answer = server.as(caller, deleteLabels, { idProject, ids: [body.idLabel] })
  // As PostgreSQL itself does after 100 s.
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(server.db)
    expect(rows).toHaveLength(1)
  })
  const refusal = await answer
  expect(refusal.status).toBe(422)
  expect(refusal.body).toMatchObject({ error: expect.stringMatching(/^This would change too many tickets at once\. Change some of them/) })
  const { body: ticket } = await server.as(caller, getTicketData, { idTicket })
  expect(ticket.Labels.map(({ Label }) => Label)).toEqual(['Bug'])
})
