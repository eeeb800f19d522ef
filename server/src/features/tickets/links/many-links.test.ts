import { limits } from '@tessera/contract/limits'
import { allPermissions } from '@tessera/contract/permissions'
import { getTicketLinks, setTicketLink } from '@tessera/contract/tickets/links'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { executeUnlimited, startServer } from '../../../../test/servers/server.ts'

test('a ticket can have as many links as the largest one in a real tracker; one more than the limit is refused', async () => {
  await using server = await startServer()
  const { organization, project, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const ticket = (title: string) => makeTicket(server.db, organization, project, { title })
  const [hub, last, more] = [await ticket('Hub'), await ticket('Last'), await ticket('More')]
  const link = (idOther: number) => server.as(caller, setTicketLink, { idTicket: hub, idOther, Kind: 'relates' })

  expect(limits.linksPerTicket).toBeGreaterThanOrEqual(400)
  await executeUnlimited(
    server,
    sql`
      with made as (
        insert into ticket (organization_id, project_id, template_id, state_id, title)
        select organization_id, project_id, template_id, state_id, 'Spoke ' || n from ticket, generate_series(2, ${limits.linksPerTicket}) n
        where organization_id = ${organization} and id = ${hub} returning id)
      insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind)
      select ${organization}, ${hub}::bigint, id, 'relates' from made`,
  )
  expect((await link(last)).status).toBe(200)
  expect((await server.as(caller, getTicketLinks, { idTicket: hub })).body).toHaveLength(limits.linksPerTicket)
  expect(await link(more)).toMatchObject({ status: 422, body: { error: `A ticket has at most ${limits.linksPerTicket} links` } })
})
