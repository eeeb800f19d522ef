import { allPermissions, permission } from '@tessera/contract/permissions'
import { setLabel } from '@tessera/contract/projects/labels'
import { applyBulkChange, getChangeSetList, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { purgeTicket } from '@tessera/contract/tickets/moving'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('the list says what was changed, on how many tickets, and why the caller may not revert it', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const viewer = await someone([permission.viewTickets, permission.editTickets])
  const { doing, done } = project.states
  const tickets: number[] = []
  for (let i = 0; i < 7; i++) tickets.push(await makeTicket(server.db, organization, project, { title: `t${i}` }))
  const [first = 0] = tickets
  const { idLabel } = (await server.as(caller, setLabel, { idProject, Label: 'bug', Color: '#ff0000' })).body
  await server.as(caller, setTicketData, { idTicket: first, State: done, data: { note: 'as before' } })
  const change = async (Change: object) => {
    const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets: tickets, Change })).body
    return (await server.as(caller, applyBulkChange, { idPreview })).body.idChangeSet
  }
  const latest = async (who = caller) => (await server.as(who, getChangeSetList, { idProject, Limit: 1 })).body[0]
  const Some = tickets.slice(0, 5)

  const changed = await change({ State: doing, data: { note: 'x'.repeat(300), size: 'l' }, Labels: [{ idLabel, Enabled: 1 }] })
  expect(await latest()).toMatchObject({
    Tickets: 7,
    Some,
    Changes: [
      { Field: 'Labels', How: 'added', Value: 'bug' },
      { Field: 'State', How: 'set', Value: 'Doing' },
      { Field: 'Note', How: 'set', Value: `${'x'.repeat(200)}…` },
      { Field: 'Size', How: 'set', Value: 'Large' },
    ],
  })
  expect(await latest()).not.toHaveProperty('Refused')
  expect((await latest(viewer))?.Refused).toBe('Needs the permission Change state')

  await server.as(caller, revertChangeSet, { idChangeSet: changed })
  expect(await latest()).toMatchObject({
    What: 'revert',
    Changes: [
      { Field: 'Labels', How: 'removed', Value: 'bug' },
      { Field: 'State', How: 'varies', Value: null },
      { Field: 'Note', How: 'varies', Value: null },
      { Field: 'Size', How: 'set', Value: null },
    ],
  })

  await change({ Trash: 1 })
  expect(await latest()).toMatchObject({ Tickets: 7, Some, Changes: [{ Field: 'Trash', How: 'added', Value: null }] })
  expect((await latest(viewer))?.Refused).toBe('Needs the permission Delete tickets')

  // Nothing is said of the values of purged tickets.
  for (const idTicket of tickets.slice(1)) expect((await server.as(caller, purgeTicket, { idTicket })).status).toBe(200)
  const bulk = (await server.as(caller, getChangeSetList, { idProject })).body.find(({ idChangeSet }) => idChangeSet === changed)
  expect(bulk).toMatchObject({
    Tickets: 7,
    Some: [first],
    Changes: [{ Field: 'Labels' }, { Field: 'State' }, { Field: 'Note' }, { Field: 'Size' }],
  })
  await server.as(caller, purgeTicket, { idTicket: first })
  for (const set of (await server.as(caller, getChangeSetList, { idProject })).body) expect(set).toMatchObject({ Some: [], Changes: [] })
})
