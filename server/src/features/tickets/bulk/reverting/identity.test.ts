import { allPermissions } from '@tessera/contract/permissions'
import { applyBulkChange, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeField, makeTicket } from '../../../../../test/fixtures/factories.ts'
import { everyCounterRight, recount } from '../../../../../test/fixtures/recount.ts'
import { peopledProject } from '../../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../../test/servers/server.ts'

const server = await serverOfFile()

const rounds = Number(process.env.TORTURE_ROUNDS ?? 15)

async function setUp(tickets: number) {
  const made = await peopledProject(server)
  const { organization, project, idProject, someone } = made
  const caller = await someone(allPermissions)
  const rows = await server.sql<{ id: number }>`
    insert into label (organization_id, project_id, name, color) values (${organization}, ${idProject}, 'bug', '#ff0000'), (${organization}, ${idProject}, 'idea', '#00ff00')
    returning id`
  await makeField(server.db, organization, project, 'owner', 'USER', { label: 'Owner' })
  const ids: number[] = []
  for (let n = 0; n < tickets; n++) ids.push(await makeTicket(server.db, organization, project, { title: `T${n}` }))
  const right = async () => expect(await recount(server.db, organization)).toEqual(everyCounterRight)
  return { ...made, caller, ids, labels: rows.map(({ id }) => id) as [number, number], right }
}

/** Each part of each ticket by its name, such as `7.state` or `7.label.3`; a part without a value is not there. */
async function partsOf(organization: number) {
  const rows = await server.sql<{ part: string; value: string }>`
    select id || '.state' as part, state_id::text as value from ticket where organization_id = ${organization}
    union all select id || '.type', template_id::text from ticket where organization_id = ${organization}
    union all select id || '.parent', parent_id::text from ticket where organization_id = ${organization} and parent_id is not null
    union all select ticket_id || '.field.' || field_id, value from ticket_value where organization_id = ${organization} and value <> ''
    union all select ticket_id || '.person.' || user_id || '.' || role_id, 'yes' from assignment where organization_id = ${organization}
    union all select ticket_id || '.label.' || label_id, 'yes' from ticket_label where organization_id = ${organization}`
  return new Map(rows.map(({ part, value }) => [part, value]))
}

test('a revert restores the old value of every part that was not changed since', async () => {
  const { organization, project, idProject, someone, caller, ids, labels, right } = await setUp(5)
  const { open, doing, done } = project.states
  const idTemplate = fc.constantFrom(...Object.values(project.templates))
  const people = [caller, await someone('all')].map(({ idUser }) => String(idUser))
  const optional = { requiredKeys: [] as [] }
  const data = fc.record(
    { size: fc.constantFrom('', 's', 'l'), note: fc.constantFrom('', 'x', 'y'), owner: fc.constantFrom('', ...people) },
    optional,
  )
  const label = fc.tuple(fc.record({ idLabel: fc.constantFrom(...labels), Enabled: fc.constantFrom(0 as const, 1 as const) }))
  const State = fc.constantFrom(open, doing, done)
  const person = fc.record({
    idUser: fc.constant(caller.idUser),
    idRole: fc.constantFrom(...Object.values(project.roles)),
    Enabled: fc.constantFrom(0 as const, 1 as const),
  })
  const change = fc.record(
    { State, idTemplate, data, Labels: label, TicketAssign: fc.tuple(person), idParent: fc.constantFrom(null, ...ids) },
    optional,
  )
  const edit = fc.record({ idTicket: fc.constantFrom(...ids), to: fc.record({ State, idTemplate, data, Labels: label }, optional) })
  const some = fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 })
  const parts = () => partsOf(organization)
  await fc.assert(
    fc.asyncProperty(some, change, fc.array(edit, { maxLength: 4 }), async (Tickets, Change, edits) => {
      if (Object.keys(Change).length === 0) return
      const before = await parts()
      const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets, Change })).body
      const { idChangeSet } = (await server.as(caller, applyBulkChange, { idPreview })).body
      if (idChangeSet === null) return
      const applied = await parts()
      // A task has no owner: 404.
      for (const { idTicket, to } of edits)
        if (Object.keys(to).length > 0) expect([200, 404]).toContain((await server.as(caller, setTicketData, { idTicket, ...to })).status)
      const edited = await parts()
      expect((await server.as(caller, revertChangeSet, { idChangeSet })).status).toBe(200)
      const expected = new Map<string, string>()
      for (const part of new Set([...before.keys(), ...applied.keys(), ...edited.keys()])) {
        const value = (edited.get(part) === applied.get(part) ? before : edited).get(part)
        if (value !== undefined) expected.set(part, value)
      }
      expect(Object.fromEntries(await parts())).toEqual(Object.fromEntries(expected))
      await right()
    }),
    { numRuns: rounds, seed: Number(process.env.SEED ?? 20_261_122) },
  )
})

test('a revert restores each ticket’s assignee, and nobody for a ticket without one', async () => {
  const { organization, idProject, someone, caller, ids } = await setUp(22)
  const people = [await someone('all'), await someone('all'), await someone('all')].map(({ idUser }) => String(idUser))
  for (const [index, idTicket] of ids.slice(0, -1).entries())
    await server.as(caller, setTicketData, { idTicket, data: { owner: people[index % 3] as string } })
  const before = await partsOf(organization)
  const Change = { data: { owner: String(caller.idUser) } }
  const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets: ids, Change })).body
  const { idChangeSet } = (await server.as(caller, applyBulkChange, { idPreview })).body
  expect((await server.as(caller, revertChangeSet, { idChangeSet })).body).toMatchObject({ Changed: 22, Skipped: [] })
  expect(await partsOf(organization)).toEqual(before)
})

test('a revert does not assign a person who has left the project, but restores the rest of the ticket', async () => {
  const { organization, project, idProject, someone, caller, ids } = await setUp(2)
  const [idTicket, other] = ids as [number, number]
  const [leaver, stayer] = [(await someone('all')).idUser, (await someone('all')).idUser]
  await server.as(caller, setTicketData, { idTicket, data: { owner: String(leaver) } })
  await server.as(caller, setTicketData, { idTicket: other, data: { owner: String(stayer) } })
  const Change = { State: project.states.doing, data: { owner: String(caller.idUser) } }
  const { idPreview } = (await server.as(caller, previewBulkChange, { idProject, Tickets: ids, Change })).body
  const { idChangeSet } = (await server.as(caller, applyBulkChange, { idPreview })).body
  await server.sql`delete from project_member where organization_id = ${organization} and user_id = ${leaver}`
  const Skipped = [{ id: idTicket, Reason: 'Its previous value no longer exists: Owner' }]
  expect((await server.as(caller, revertChangeSet, { idChangeSet })).body).toMatchObject({ Changed: 2, Skipped })
  const parts = await partsOf(organization)
  const owner = [...parts].filter(([part]) => part.includes('field')).map(([, value]) => value)
  expect(owner.sort()).toEqual([String(caller.idUser), String(stayer)].sort())
  for (const id of ids) expect(parts.get(`${id}.state`)).toBe(String(project.states.open))
})

test('100 simultaneous changes of the same tickets are all answered, and each ticket is changed by one of them', async () => {
  const { organization, project, idProject, caller, ids, right } = await setUp(20)
  const previews: number[] = []
  for (let n = 0; n < 100; n++) {
    const Change = { State: n % 2 ? project.states.doing : project.states.done, data: { note: `by ${n}` } }
    // Each has another half of them.
    const Tickets = ids.filter((_, index) => (index + n) % 2 === 0)
    previews.push((await server.as(caller, previewBulkChange, { idProject, Tickets, Change })).body.idPreview)
  }
  const answers = await Promise.all(previews.map(idPreview => server.as(caller, applyBulkChange, { idPreview })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const { body } of answers) expect(body.Changed + body.Skipped.length).toBe(10)
  expect(answers.reduce((sum, { body }) => sum + body.Changed, 0)).toBe(20)
  const rows = await server.sql`select 1 from ticket where organization_id = ${organization} and state_id <> ${project.states.open}`
  expect(rows).toHaveLength(20)
  await right()
})
