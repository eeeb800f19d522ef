import { limits } from '@tessera/contract/limits'
import { applyBulkChange, previewBulkChange } from '@tessera/contract/tickets/bulk'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('a preview shows the beginning of long texts and the change writes all of them; too much text in total is refused', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const caller = await someone('all')
  const [a, b] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
  const preview = (Tickets: readonly number[], note: string) =>
    server.as(caller, previewBulkChange, { idProject, Tickets, Change: { data: { note } } })
  const apply = (idPreview: number) => server.as(caller, applyBulkChange, { idPreview })
  const [first, second] = [`${'a'.repeat(199)}😀${'b'.repeat(limits.fieldValue - 300)}`, 'c'.repeat(limits.fieldValue)]
  await apply((await preview([a], first)).body.idPreview)
  const seen = (await preview([a, b], second)).body
  const After = `${'c'.repeat(200)}…`
  const Rows = [
    { id: a, Changes: [{ Field: 'Note', Before: `${'a'.repeat(199)}…`, After }] },
    { id: b, Changes: [{ Field: 'Note', Before: null, After }] },
  ]
  expect(seen.Rows).toEqual(Rows)
  expect((await server.as(caller, previewBulkChange, { idProject, idPreview: seen.idPreview, Cursor: '1' })).body.Rows).toEqual(
    Rows.slice(1),
  )
  await apply(seen.idPreview)
  for (const idTicket of [a, b]) {
    const { Fields } = (await server.as(caller, getTicketData, { idTicket })).body
    expect(Fields.find(({ Key }) => Key === 'note')?.Value === second).toBe(true)
  }

  const many = Math.floor(limits.bulkBytes / limits.fieldValue)
  const rows = await server.sql<{ id: number }>`
    insert into ticket (organization_id, project_id, template_id, state_id, title)
    select ${organization}, ${idProject}, ${project.templates.bug}, ${project.states.open}, 'more' from generate_series(1, ${many}) n
    returning id`
  const ids = rows.map(({ id }) => id)
  const refused = { status: 422, body: { code: 'rule', error: expect.stringContaining('16 MB') } }
  expect(await preview(ids, second)).toMatchObject(refused)
  const shorter = 'd'.repeat(limits.fieldValue - 100)
  expect(await preview(ids, shorter)).toMatchObject({ status: 200, body: { Changed: many } })
  // What is replaced counts as well.
  await server.sql`insert into ticket_value (organization_id, ticket_id, field_id, value)
    select ${organization}, id, ${project.fields.note}, ${second} from unnest(${ids}::bigint[]) id`
  expect(await preview(ids, 'short')).toMatchObject(refused)
  expect(await preview(ids.slice(2), 'short')).toMatchObject({ status: 200, body: { Changed: many - 2 } })
})
