import { setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeOrganization, makeProject } from '../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../test/fixtures/worlds/search-world.ts'
import { startServer, unguarded } from '../../../test/servers/server.ts'

test('a word is looked up by its key, also on a connection that was opened when the table was empty', async () => {
  await using server = await startServer()
  const organization = await makeOrganization(server.db)
  const { projectId } = await makeProject(server.db, organization)
  const db = unguarded(server.db)
  // Long words: their index has more pages than one of numbers, which made that one look cheaper.
  await sql`
    select search_learn(${organization}, ${projectId}, (
      select array_agg(lpad(translate((text * 40 + word)::text, '0123456789', 'abcdefghij'), 36, 'x')) from generate_series(1, 40) word))
    from generate_series(1, 100) text`.execute(db)
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ known: number; read: number }>`
    select n_tup_ins::int as known, (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'search_word'))::int as read
    from pg_stat_user_tables where relname = 'search_word'`.execute(db)
  await db.destroy()
  expect(rows[0]?.known).toBe(4000)
  expect(rows[0]?.read).toBeLessThan(4000)
})

test('a search row updated by several saves equals one that is built at once; its words are known, and saving the same words does not write it', async () => {
  await using server = await startServer()
  const { caller, make, titles } = await searchWorld(server)
  const idTicket = await make('Payment gateway fails')
  const say = (Comment: string) => server.as(caller, setTicketComment, { idTicket, Comment })
  const save = (note: string) => server.as(caller, setTicketData, { idTicket, data: { note } })
  const version = () =>
    server.sql<{ xmin: string }>`select xmin::text from ticket_search where organization_id = ${caller.orgid} and ticket_id = ${idTicket}`

  await say('!?')
  await say('Seen with OPS-99 on a zeppelin, zeppelin, zeppelin')
  await save('The engine stops. Nobody knows why')
  await say('The zeppelin again, beside the gateway: 日本語 and Ärger')
  await save('The engine stops. Everybody knows why')
  await server.as(caller, setTicketData, { idTicket, Title: 'Invoices of the zeppelin' })
  await say('A last remark')
  const before = await version()
  await save('The ENGINE stops: everybody knows why!')
  expect(await version()).toEqual(before)
  expect(await titles('"last remark" "zeppelin again" everybody')).toEqual(['Invoices of the zeppelin'])

  const rows = await server.sql<{ same: boolean; unknown: string[] }>`
    select s.words = (search_title(t.project_id, t.title) || ' ' || search_lexemes(search_fields(t.organization_id, t.id), 'B', '', 4000, 9999)
        || ' ' || search_lexemes(search_comments(t.organization_id, t.id), 'C', '', 10000, 16383))::tsvector as same,
      array(select w.lexeme from unnest(s.words) w where length(w.lexeme) between 4 and 40 and w.lexeme ~ '^[a-z]+$'
        except select k.word from search_word k where k.organization_id = t.organization_id and k.project_id = t.project_id) as unknown
    from ticket t join ticket_search s on s.organization_id = t.organization_id and s.ticket_id = t.id where t.organization_id = ${caller.orgid} and t.id = ${idTicket}`
  expect(rows).toEqual([{ same: true, unknown: [] }])
})
