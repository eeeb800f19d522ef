import { setTicketTemplate } from '@tessera/contract/projects/project-config'
import { createNewTicket } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'
import { recordedApplication } from '../../../../test/statements/recorded-application.ts'

test('no statement makes more than 200 of the tickets of a template, because a cluster takes long for each', async () => {
  await using server = await startServer()
  const { project, idProject, someone } = await peopledProject(server)
  const caller = await someone('all')
  const { bug, task } = project.templates
  const children = (length: number) => Array.from({ length }, (_, n) => ({ idTemplate: task, Title: `Child ${n}` }))
  for (const [idTicketTemplate, Children] of [
    [bug, children(50)],
    [task, children(20)],
  ] as const) {
    const Defaults = { data: { note: 'Steps' }, Children }
    expect((await server.as(caller, setTicketTemplate, { idProject, idTicketTemplate, Defaults })).status).toBe(200)
  }
  await using recorded = await recordedApplication(server.system)
  const { app, recorder } = recorded
  recorder.start()
  const made = await server.as(caller, createNewTicket, { idProject, idTemplate: bug, Title: 'Whole' }, {}, app)
  const sent = recorder.stop()
  expect(made.status).toBe(200)
  for (const table of ['ticket', 'ticket_value']) {
    const rows = sent
      .filter(({ text }) => text.trimStart().startsWith(`insert into ${table} (`))
      .map(({ values }) => values.find(Array.isArray)?.length)
    expect(rows, table).toEqual([200, 200, 200, 200, 200, 51])
  }
})
