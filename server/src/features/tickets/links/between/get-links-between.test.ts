import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { getLinksBetween, removeTicketLink } from '@tessera/contract/tickets/links'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember } from '../../../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../../../test/fixtures/refusals.ts'
import { linkedTickets } from '../../../../../test/fixtures/worlds/linked-tickets.ts'
import { executeUnlimited, serverOfFile } from '../../../../../test/servers/server.ts'
import { explain, rowsRead } from '../../../../../test/statements/explain.ts'
import type { Sent } from '../../../../../test/statements/record-statements.ts'
import { recordedApplication } from '../../../../../test/statements/recorded-application.ts'

const server = await serverOfFile()

test('the links that block or precede are listed, from the side of the blocker, of tickets that are all in the list', async () => {
  const { idProject, caller, someone, foreigner, hidden, organization, ticket, link } = await linkedTickets(server)
  const [a, b, c, d] = [await ticket('A'), await ticket('B'), await ticket('C'), await ticket('D')]
  const blocking = (await link(a, 'blocks', b)).body.idLink
  await link(c, 'follows', b)
  await link(a, 'relates', c)
  await link(a, 'duplicates', d)
  await link(d, 'blocks', a)
  // A ticket of another project, which the caller may see too.
  const far = await ticket('Far', hidden)
  await makeMember(server.db, organization, hidden.projectId, caller.idUser, 'all')
  await link(a, 'blocks', far)
  const between = async (Tickets: number[], who = caller) => (await server.as(who, getLinksBetween, { idProject, Tickets })).body
  const [ab, bc] = [
    { idFrom: a, idTo: b, Kind: 'blocks' },
    { idFrom: b, idTo: c, Kind: 'precedes' },
  ]
  expect(await between([c, b, a, far])).toEqual([ab, bc])
  expect(await between([a, b, c, d])).toEqual([ab, bc, { idFrom: d, idTo: a, Kind: 'blocks' }])
  expect(await between([a])).toEqual([])
  const viewer = await someone([permission.viewTickets])
  expect(await between([a, b], viewer)).toEqual([ab])
  await server.as(caller, removeTicketLink, { idLink: blocking as number })
  expect(await between([a, b])).toEqual([])

  const many = Array.from({ length: limits.pageSizeMax + 1 }, (_, index) => index + 1)
  await expectRefusals(server, getLinksBetween, {
    input: { idProject, Tickets: [b, c] },
    caller,
    foreigner,
    bad: [
      [{ idProject, Tickets: [] }, 'Tickets'],
      [{ idProject, Tickets: many }, 'Tickets'],
      [{ idProject, Tickets: [b, b] }, 'Tickets'],
      [{ Tickets: [b] }, 'idProject'],
    ],
  })
})

test('500 tickets among 20,000 links take one statement beside the session’s, which reads their own links by index', {
  tags: ['long'],
}, async () => {
  const { organization, project, idProject, caller, ticket } = await linkedTickets(server)
  const first = await ticket('First')
  const { rows } = await executeUnlimited(
    server,
    sql<{ id: number }>`
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select organization_id, project_id, template_id, state_id, 'Ticket ' || n from ticket, generate_series(1, 20000) n
      where organization_id = ${organization} and id = ${first} returning id`,
  )
  const ids = rows.map(({ id }) => Number(id))
  await executeUnlimited(
    server,
    sql`insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind)
      select ${organization}, id, lead(id) over (order by id), 'precedes' from ticket
      where organization_id = ${organization} and project_id = ${project.projectId} order by id desc offset 1`,
  )
  await sql`analyze ticket, ticket_link`.execute(server.db)
  await using recorded = await recordedApplication(server.system)
  const { app, recorder } = recorded
  const Tickets = ids.slice(0, limits.pageSizeMax)
  recorder.start()
  const { body } = await server.as(caller, getLinksBetween, { idProject, Tickets }, {}, app)
  const sent = recorder.stop()
  expect(body).toHaveLength(limits.pageSizeMax - 1)
  const own = sent.filter(({ text }) => !/^\s*\/\*.*\*\/ set local/.test(text))
  expect(own.map(({ text }) => /from ticket_link/.test(text))).toEqual([false, true])
  const nodes = await explain(server.db, own[1] as Sent)
  const read = nodes.filter(node => /Scan$/.test(node['Node Type']) && /^ticket(_link)?$/.test(node['Relation Name'] ?? ''))
  expect(read.map(node => node['Node Type'])).not.toContain('Seq Scan')
  expect(read.reduce((sum, node) => sum + rowsRead(node), 0)).toBeLessThan(3 * limits.pageSizeMax)
})
