import type { Renderer } from '@tessera/contract/projects/project-config'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { searchTickets } from '@tessera/contract/tickets/search'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeAssignment, makeField } from '../../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('every name of the query language works', async () => {
  await using server = await startServer()
  const { organization, project, user, caller, make, titles } = await searchWorld(server)
  const a = await make('a')
  const b = await make('b', { parentId: a, stateId: project.states.doing, templateId: project.templates.task })
  const c = await make('c', { stateId: project.states.done })
  // No field says yet when a ticket is due.
  expect(await titles('due:none sort:title')).toEqual(['a', 'b', 'c'])
  expect(await titles('due:none,<today -due:today sort:title')).toEqual(['a', 'b', 'c'])
  expect(await titles('due:<today')).toEqual([])
  const options = [
    { value: 'x', label: 'Ex' },
    { value: 'y', label: 'Why' },
  ]
  const field = (key: string, type: Renderer) => makeField(server.db, organization, project, key, type, { options })
  const [cost, due, done] = [await field('cost', 'NUMBER'), await field('due', 'DATE'), await field('done', 'CHECKBOX')]
  const [tags, owner] = [await field('tags', 'MULTISELECT'), await field('owner', 'USER')]
  const value = (ticket: number, field: number, text: string) => server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value) values (${organization}, ${ticket}, ${field}, ${text})`
  await value(a, cost, '150.5')
  await value(b, cost, '20')
  await value(a, due, '2026-12-24')
  await value(c, due, '9999-12-31')
  await value(a, done, '1')
  await value(b, tags, '["y"]')
  await value(b, owner, String(user))
  await value(a, project.fields.size, 'l')
  await makeAssignment(server.db, organization, project, b, user, 'reviewer')
  await server.sql`insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind) values (${organization}, ${a}, ${b}, 'blocks')`
  await server.sql`
    with made as (
      insert into label (organization_id, project_id, name, color) values (${organization}, ${project.projectId}, 'Bug report', '#000000') returning id)
    insert into ticket_label (organization_id, ticket_id, label_id) select ${organization}, ${a}, id from made`
  await server.sql`
    update ticket set created_at = now() - interval '20 days', created_by = ${user} where organization_id = ${organization} and id = ${a}`
  await server.as(caller, setTicketComment, { idTicket: b, Comment: 'hello' })

  const expected = `
    state:open => a
    state:open,Doing => ab
    state:active => b
    state:nowhere =>
    type:task => b
    phase:inactive => c
    state:"active" =>
    state:"open" => a
    phase:1,2 => ab
    assignee:me => b
    assignee:none => ac
    assignee:"Ada Lovelace" => b
    assignee:ada-${organization} => b
    creator:me => a
    creator:none => bc
    label:"bug report" => a
    label:none => bc
    -label:none -label:"bug report" =>
    -label:nothing title:b or -label:other -label:"bug report" => bc
    parent:OPS-${a} => b
    parent:none => ac
    project:ops => abc
    project:HID =>
    id:${a} => a
    id:OPS-${b} => b
    id:>=${b} => bc
    id:${a}..${b} => ab
    title:a => a
    comment:hello => b
    b -hello =>
    comment:none => ac
    has:comment => b
    has:children => a
    has:link => ab
    has:active-children => a
    has:proposed-children,inactive-children =>
    has:label => a
    has:assignee => b
    has:attachment =>
    is:open => ab
    is:closed => c
    is:blocked => b
    is:blocking => a
    is:mine => b
    is:watched => ab
    watcher:me => ab
    watcher:none => c
    is:root => ac
    is:leaf => bc
    is:trashed =>
    created:<7d => bc
    created:>2w => a
    created:today => bc
    updated:<1d -created:<1d =>
    updated:<1d => bc
    cost:>100 => a
    cost:20 => b
    cost:10..30 => b
    cost:empty => c
    due:2026-12-01..2026-12-31 => a
    due:2026-12 => a
    due:none => b
    due:>2026-12-24 => c
    due:9999-12-31 => c
    due:<=9999-12-31 created:<=9999 => ac
    due:<=2026-12-24 => a
    done:yes => a
    done:no => bc
    tags:why => b
    tags:x =>
    owner:me => b
    size:large => a
    a or b => ab
    -a => bc
    not (a or b) => c
    is:open -assignee:me => a
    (a or is:closed) -label:none => a
    is:open (a or assignee:me) -has:comment => a`
    .trim()
    .split('\n')
    .map(line => line.trim().split(/ =>\s*/) as [query: string, titles: string])
  for (const [query, wanted] of expected) expect.soft([query, (await titles(`${query} sort:title`)).join('')]).toEqual([query, wanted])
  for (const [query, wanted] of expected) {
    const { status, body } = await server.as(caller, queryTickets, { idProject: project.projectId, Query: query })
    expect
      .soft([
        query,
        status,
        status === 200 &&
          body.Tickets.map(({ Title }) => Title)
            .sort()
            .join(''),
      ])
      .toEqual([query, 200, wanted])
  }
  for (const [query, wanted] of [
    ['sort:-cost', 'abc'],
    ['sort:due,-id', 'acb'],
    ['sort:-state', 'cba'],
    ['sort:type,id', 'acb'],
    ['sort:updated', 'acb'],
    ['sort:created', 'abc'],
    ['sort:-title', 'cba'],
    // Nobody and nothing come last, in both directions.
    ['sort:assignee', 'bca'],
    ['sort:-assignee,title', 'bac'],
    ['sort:label,-title', 'acb'],
    ['sort:-label', 'acb'],
    ['sort:parent', 'bca'],
    ['sort:-parent,id', 'bac'],
  ] as const) {
    expect.soft([query, (await titles(query)).join('')]).toEqual([query, wanted])
    const listed = await server.as(caller, queryTickets, { idProject: project.projectId, Query: `id:>0 ${query}` })
    expect.soft([query, listed.body.Tickets?.map(({ Title }) => Title).join('')]).toEqual([query, wanted])
  }
})

test('for the time of closing, which has no name of its own, the error gives a query that finds it', async () => {
  await using server = await startServer()
  const { organization, project, caller, make, titles } = await searchWorld(server)
  const old = await make('Closed long ago', { stateId: project.states.done })
  await server.sql`update ticket set created_at = now() - interval '20 days' where organization_id = ${organization} and id = ${old}`
  await make('Closed today', { stateId: project.states.done })
  await make('Open')
  const { body } = await server.as(caller, searchTickets, { Query: 'a closed:<7d' })
  expect(body).toMatchObject({ code: 'query', Position: 2, Length: 6, Nearest: [] })
  const { error } = body as unknown as { error: string }
  expect(error).toContain("There is nothing named 'closed'; tickets closed since a day are found by phase:inactive -phase:inactive@")
  expect(await titles(error.split(' found by ')[1] ?? '')).toEqual(['Closed today'])
})

test('a query that cannot be read is a 400 with its position, never a 500', async () => {
  await using server = await startServer()
  const { project, caller, make } = await searchWorld(server)
  await make('Anything')
  for (const [Query, Position, Length, nearest] of [
    ['a stat:open', 2, 4, 'state'],
    ['a (b', 2, 1, undefined],
    ['nots:x', 0, 4, 'note'],
    ['is:opne', 3, 4, 'open'],
    ['a state:open,proposed is:mine,opne', 30, 4, 'open'],
    ['phase:"activ"', 6, 7, 'active'],
    ['phase:active@soon', 6, 11, undefined],
    ['phase:active@2026-11-01@2026-12-01', 6, 28, undefined],
    ['created:soon', 8, 4, undefined],
    ['size:x,>3', 7, 2, undefined],
    ['state:open,>open', 11, 5, undefined],
    ['sort:-watcher', 6, 7, undefined],
    ['sort:id,-stat', 9, 4, 'state'],
    // `has` is a name, and no order.
    ['sort:hase', 5, 4, 'phase'],
    ['has:none', 4, 4, undefined],
    ['a is:open,empty', 10, 5, undefined],
    ['phase:none', 6, 4, undefined],
    [`${'x'.repeat(2001)}`, 2000, 1, undefined],
    ['x'.repeat(20_000), 2000, 18_000, undefined],
  ] as const) {
    for (const call of [searchTickets, queryTickets]) {
      const { status, body } = await server.as(caller, call, { Query, ...(call === queryTickets ? { idProject: project.projectId } : {}) })
      const { Nearest, ...rest } = body as unknown as { Nearest: string[] }
      expect({ Query, status, ...rest }).toMatchObject({ status: 400, code: 'query', Position, Length })
      if (nearest) expect(Nearest.slice(0, 3)).toContain(nearest)
    }
  }
  expect((await server.as(caller, searchTickets, { Query: 'a', Zone: 'Nowhere/At-all' })).status).toBe(400)
  expect((await server.as(caller, searchTickets, { Query: 'a', idProject: project.projectId + 1000 })).status).toBe(404)

  const names = [
    'state',
    'type',
    'phase',
    'assignee',
    'label',
    'parent',
    'id',
    'title',
    'text',
    'comment',
    'has',
    'is',
    'created',
    'updated',
    'due',
    'watcher',
    'note',
    'size',
    'sort',
  ]
  const values = [
    'me',
    'none',
    'open',
    '7d',
    '<7d',
    '2026-13-01',
    '2026-02-30',
    '1..2',
    '..9',
    '"a b"',
    `OPS-1`,
    '999999999999999',
    '-1',
    "'",
    '\\',
    '%',
    '漢',
    '>=x',
    '0000',
    '9999-12-31',
    '9999y',
    'trashed',
    'blocked',
    'root',
    '1e99',
  ]
  const term = fc.oneof(
    fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values)).map(([name, value]) => `${name}:${value}`),
    fc.constantFrom(...values, '(', ')', 'or', '-', 'not', '"', ':', "a'b", 'x&y|z!', '\u0000'.slice(1), '😀', '*', '<->', 'ab:*'),
    fc.string({ unit: 'grapheme', maxLength: 6 }).map(text => text.replaceAll('\u0000', '')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(term, { maxLength: 6 }), async terms => {
      const { status, body } = await server.as(caller, searchTickets, { Query: terms.join(' ') })
      expect([terms, status === 200 || (status === 400 && (body as { code?: string }).code === 'query') || body]).toEqual([terms, true])
    }),
    { numRuns: Number(process.env.TORTURE_ROUNDS ?? 150), seed: Number(process.env.SEED ?? 20_261_122) },
  )
})
