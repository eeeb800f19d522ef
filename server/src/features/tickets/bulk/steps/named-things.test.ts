import { deleteLabels, setLabel } from '@tessera/contract/projects/labels'
import { deleteTicketFields, deleteTicketTemplates } from '@tessera/contract/projects/project-config'
import { deleteProjectRoles } from '@tessera/contract/projects/projects'
import { applyBulkChange, previewBulkChange } from '@tessera/contract/tickets/bulk'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../../test/postgres/lock-waits.ts'
import { serverOfFile, unguarded } from '../../../../../test/servers/server.ts'

const server = await serverOfFile()

test('what a bulk change gives to tickets is deleted only when its step is done', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const [ann, bob] = [await someone('all'), await someone('all')]
  const [idTicket, other] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  const label = async (Label: string) => (await server.as(ann, setLabel, { idProject, Label })).body.idLabel
  const [old, replacement] = [await label('old'), await label('new')]
  const { reviewer, responsible } = project.roles
  const { task } = project.templates
  const [size] = await server.sql<{ id: number }>`select id from field where organization_id = ${organization} and key = 'size'`
  const held = sql`select 1 from ticket where organization_id = ${organization} and id = ${other} for update`
  const cases = [
    [{ Labels: [{ idLabel: old, Enabled: 1 }] }, deleteLabels, { ids: [old], idReplacement: replacement }],
    [
      { TicketAssign: [{ idUser: ann.idUser, idRole: reviewer, Enabled: 1 }] },
      deleteProjectRoles,
      { ids: [reviewer], idReplacement: responsible },
    ],
    [{ idTemplate: task }, deleteTicketTemplates, { ids: [task] }],
    [{ data: { size: 'l' } }, deleteTicketFields, { ids: [size?.id] }],
  ] as const
  const db = unguarded(server.db)
  for (const [Change, deletion, input] of cases) {
    const { body: seen } = await server.as(ann, previewBulkChange, { idProject, Tickets: [idTicket, other], Change })
    const holder = await db.startTransaction().execute()
    await held.execute(holder)
    const applied = server.as(ann, applyBulkChange, { idPreview: seen.idPreview })
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    const deleted = server.as(bob, deletion, { idProject, ...input })
    await expect.poll(() => lockWaits(server.db)).toBe(2)
    await holder.rollback().execute()
    expect((await applied).body).toMatchObject({ Changed: 2, Skipped: [] })
    expect((await deleted).body).toMatchObject({ Success: 1 })
  }
  await db.destroy()
})
