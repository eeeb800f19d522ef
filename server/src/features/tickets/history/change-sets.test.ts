import { allPermissions, permission } from '@tessera/contract/permissions'
import { deleteLabels, restoreLabels, setLabel } from '@tessera/contract/projects/labels'
import { setProjectData } from '@tessera/contract/projects/projects'
import { applyBulkChange, getChangeSetList, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('history says which changes belong to a change of many tickets, and whether the caller may revert it', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const viewer = await someone([permission.viewTickets, permission.editTickets])
  const tickets: number[] = []
  for (let i = 0; i < 3; i++) tickets.push(await makeTicket(server.db, organization, project, { title: `t${i}` }))
  const [idTicket = 0] = tickets
  const change = async (Change: object) => {
    const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets: tickets, Change })).body
    return (await server.as(caller, applyBulkChange, { idPreview })).body.idChangeSet
  }
  const history = async (who = caller) => (await server.as(who, getTicketHistory, { idTicket })).body.Changes
  /** Each listed set in the history, once, the latest first; the members are those that the project's list answers. */
  const sets = async (who = caller) => {
    const listed = (await server.as(who, getChangeSetList, { idProject })).body
    const found = Map.groupBy(await history(who), ({ idChangeSet }) => idChangeSet)
    for (const [idChangeSet, rows] of found) {
      const { What, At, Tickets, Reverted, OfTickets, Refused } = listed.find(set => set.idChangeSet === idChangeSet) ?? {}
      const expected = What && { What, At, Tickets, Reverted, OfTickets, ...(Refused !== undefined && { Refused }) }
      for (const { Set: set } of rows) expect(set).toEqual(expected)
    }
    return [...found.values()].map(rows => rows[0]?.Set)
  }

  await server.as(caller, setTicketData, { idTicket, Title: 'By itself', data: { size: 's' } })
  expect((await history()).every(row => !Object.hasOwn(row, 'Set'))).toBe(true)

  // The ticket has the value already, so its own history shows no change of state; the set has one nevertheless.
  await server.as(caller, setTicketData, { idTicket, State: project.states.doing })
  const changed = await change({ State: project.states.doing, data: { size: 'l' } })
  expect((await history())[0]).toMatchObject({ Field: 'data.size', Set: { What: 'bulk', Tickets: 3, Reverted: 0, OfTickets: 1 } })
  expect((await sets()).filter(Boolean)).toHaveLength(1)
  expect((await sets(viewer))[0]?.Refused).toBe('Needs the permission Change state')

  expect((await server.as(caller, revertChangeSet, { idChangeSet: changed })).status).toBe(200)
  expect((await sets()).slice(0, 2)).toMatchObject([
    { What: 'revert', Tickets: 3, Reverted: 0 },
    { What: 'bulk', Tickets: 3, Reverted: 1 },
  ])

  const { idLabel } = (await server.as(caller, setLabel, { idProject, Label: 'bug', Color: '#ff0000' })).body
  await change({ Labels: [{ idLabel, Enabled: 1 }] })
  expect((await sets(viewer))[0]).not.toHaveProperty('Refused')
  await server.as(caller, deleteLabels, { idProject, ids: [idLabel] })
  await server.as(caller, restoreLabels, { idProject, ids: [idLabel] })
  expect((await sets())[0]).toMatchObject({ What: 'restore', OfTickets: 0 })

  await change({ Trash: 1 })
  expect((await sets(viewer))[0]).toMatchObject({ Tickets: 3, Refused: 'Needs the permission Delete tickets' })
  expect((await sets())[0]).not.toHaveProperty('Refused')

  await server.sql`
    insert into change (organization_id, project_id, subject, subject_id, ticket_id, change_set_id, field, after)
    values (${organization}, ${idProject}, 'ticket', ${idTicket}, ${idTicket}, 1000000, 'Ticket', 't0')`
  await server.sql`
    insert into change_set_summary (organization_id, project_id, id, what, tickets)
    values (${organization}, ${idProject}, 1000000, 'import', 5000)`
  expect((await sets())[0]).toMatchObject({ What: 'import', Tickets: 5000, OfTickets: 1 })
  expect((await sets(viewer))[0]?.Refused).toBe('Needs the permission Delete tickets')

  await server.as(caller, setProjectData, { idProject, Archived: 1 })
  expect((await sets())[0]?.Refused).toBe('This project is archived and takes no changes')
})
