import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchWorld } from '../../../test/fixtures/worlds/search-world.ts'
import { executeUnlimited, startServer, type TestServer } from '../../../test/servers/server.ts'

/** As autovacuum does a minute after so many tickets were made: until then, the search for a number may read all of them again and again. */
const analyze = (server: TestServer) => executeUnlimited(server, sql`analyze ticket, ticket_search`)

test('paging through a ranked search reaches every result of its total', async () => {
  await using server = await startServer()
  const { organization, project, search } = await searchWorld(server)
  const make = (word: string, count: number) =>
    executeUnlimited(
      server,
      sql`
    insert into ticket (organization_id, project_id, template_id, state_id, title)
    select ${organization}, ${project.projectId}, ${project.templates.bug}, ${project.states.open}, ${word}::text || ' ' || n
    from generate_series(1, ${count}::int) n`,
    )
  await make('lorem', 700)
  await make('ipsum', 1100)
  const reached = async (Query: string, Limit: number) => {
    const all = new Set<number>()
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await search(Query, { Limit, ...(cursor ? { Cursor: cursor } : {}) })
      for (const { id } of page.Tickets) all.add(id)
      cursor = page.NextCursor
    }
    return all.size
  }
  for (const Query of ['lorem', 'lorem is:open', 'title:lorem']) {
    expect(await search(Query, { Limit: 1 })).toMatchObject({ Total: 700, TotalIsExact: 1 })
    expect(await reached(Query, 300)).toBe(700)
  }
  expect(await search('ipsum is:open', { Limit: 1 })).toMatchObject({ Total: 1000, TotalIsExact: 0 })
  expect(await reached('ipsum is:open', 400)).toBe(1000)
})

test('a key and words in the title rank first, whatever the ticket’s age and the other conditions', async () => {
  await using server = await startServer()
  const { organization, project, titles, make } = await searchWorld(server)
  const named = await make('Zeppelin')
  const note = await server.sql<{ id: number }>`
    select id from field where organization_id = ${organization} and project_id = ${project.projectId} and key = 'note'`
  await executeUnlimited(
    server,
    sql`
    with made as (
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select ${organization}, ${project.projectId}, ${project.templates.bug}, ${project.states.open}, 'Other ' || ${String(named)}::text || '00' || n
      from generate_series(1, 1200) n returning organization_id, id)
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    select organization_id, id, ${note[0]?.id}::bigint, 'about a zeppelin' from made`,
  )
  await analyze(server)
  for (const query of ['zeppelin', 'zeppelin is:open', 'zeppelin -cargo', 'zeppelin assignee:none', 'zeppelin or cargo', String(named)])
    expect([query, (await titles(query))[0]]).toEqual([query, 'Zeppelin'])
  // Also in a title with accents.
  await server.sql`update ticket set title = 'Zeppélin hangar' where organization_id = ${organization} and id = ${named}`
  for (const query of ['zeppelin', 'zeppélin is:open', 'zeppelin -cargo'])
    expect([query, (await titles(query))[0]]).toEqual([query, 'Zeppélin hangar'])
})

test('of very many results the newest are ranked, and so is every ticket with all words in its title', async () => {
  await using server = await startServer()
  const { organization, project, search, titles, make } = await searchWorld(server)
  const oldest = await make('Window of the harbour gate')
  await executeUnlimited(
    server,
    sql`insert into ticket (organization_id, id, project_id, template_id, state_id, title)
    select ${organization}, ${oldest} + n, ${project.projectId}, ${project.templates.bug}, ${project.states.open}, 'Window ' || n
    from generate_series(1, 1200) n`,
  )
  await analyze(server)
  // The second time the project counts as a large one, where a sample of the tickets shows that the word is frequent.
  for (const tickets of [1201, 100_000]) {
    await server.sql`insert into root_tally (organization_id, project_id, slot, tickets) values (${organization}, ${project.projectId}, 0, ${tickets})
      on conflict (organization_id, project_id, slot) do update set tickets = excluded.tickets`
    const many = await search('window', { Limit: 3 })
    expect(many).toMatchObject({ Total: 1000, TotalIsExact: 0 })
    expect(many.Tickets.map(({ Title }) => Title)).toEqual(['Window 1200', 'Window 1199', 'Window 1198'])
    expect((await titles('window gate'))[0]).toBe('Window of the harbour gate')
    expect((await titles(`window or ${oldest}`))[0]).toBe('Window 1200')
    expect(await search('window or harbour', { Limit: 1 })).toMatchObject({ Total: 1000, TotalIsExact: 0 })
    expect((await titles(String(oldest)))[0]).toBe('Window of the harbour gate')
  }
  // With an explicit order all of them are returned and counted.
  expect(await search('window sort:id', { Limit: 1 })).toMatchObject({ Total: 1201, TotalIsExact: 1, Tickets: [{ id: oldest }] })
  // Without words the order is that of the ids, so that every page is there.
  expect(await search('is:open', { Limit: 1 })).toMatchObject({ Total: 1000, TotalIsExact: 0 })
  let cursor: string | null | undefined
  const all = new Set<number>()
  do {
    const page = await search('is:open', { Limit: 100, ...(cursor ? { Cursor: cursor } : {}) })
    for (const { id } of page.Tickets) all.add(id)
    cursor = page.NextCursor
  } while (cursor)
  expect(all.size).toBe(1201)
  // Of the newest thousand, half are in the trash: how many older ones there are is not known.
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization} and id > ${oldest + 700}`
  expect(await search('window', { Limit: 3 })).toMatchObject({ TotalIsExact: 0 })
  // What is older than a thousand tickets in the trash is found.
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization} and id > ${oldest}`
  expect(await search('window')).toMatchObject({ Total: 1, TotalIsExact: 1, Tickets: [{ id: oldest }] })
})
