import { setTicketData } from '@tessera/contract/tickets/tickets'
import fc from 'fast-check'
import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeOrganization, makeProject, makeTicket } from '../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../test/fixtures/worlds/search-world.ts'
import { executeUnlimited, startServer } from '../../../test/servers/server.ts'
import { type Db, onRun } from '../../db/db.ts'
import type { ReachedProject } from './query/compile-query.ts'
import type { Searcher } from './query/read-query.ts'
import { similarWords } from './words/similar-words.ts'

const letter = fc.constantFrom(...'abcdeiostäжλ')
const word = (minLength: number, maxLength: number) =>
  fc.array(letter, { minLength, maxLength, size: 'max' }).map(letters => letters.join(''))
const edit = fc.record({ kind: fc.constantFrom('insert', 'leave out', 'replace', 'swap'), at: fc.nat(), letter })

function edited(letters: string, { kind, at, letter: other }: { kind: string; at: number; letter: string }) {
  const place = at % letters.length
  const [before, after] = [letters.slice(0, place), letters.slice(place)]
  if (kind === 'insert') return before + other + after
  if (kind === 'leave out') return before + after.slice(1)
  if (kind === 'replace') return before + other + after.slice(1)
  return before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2)
}

test('a word is found despite one typing error, and from eight letters on despite two', async () => {
  await using server = await startServer()
  const one = fc
    .sample(fc.tuple(word(4, 9), edit), { numRuns: 1000, seed: 1 })
    .map(([known, change]) => ({ known, typed: edited(known, change) }))
  const two = fc
    .sample(fc.tuple(word(8, 14), edit, edit), { numRuns: 2000, seed: 2 })
    .map(([known, first, second]) => ({ known, typed: edited(edited(known, first), second) }))
  // In the middle of eight letters a swapped pair is an error of both halves, so that no other may stand beside it.
  const pairs = [...one.filter(({ typed }) => typed.length >= 4), ...two.filter(({ known, typed }) => typed.length > 8 && known.length > 8)]
  expect(pairs.length).toBeGreaterThan(2000)
  const rows = await server.sql<{ known: string; typed: string }>`
    select known, typed from unnest(${pairs.map(({ known }) => known)}::text[], ${pairs.map(({ typed }) => typed)}::text[]) as pair (known, typed)
    where not search_near(1, 2, search_fold(known)) @@ search_near_query(1, '{2}', search_fold(typed))`
  expect(rows).toEqual([])
})

test('the lookup of a mistyped word uses the index and reads at most one in fifty words', async () => {
  await using server = await startServer()
  const { db } = server
  const organizationId = await makeOrganization(db)
  const { projectId } = await makeProject(db, organizationId)
  const syllable = fc.tuple(fc.constantFrom(...'bcdfghklmnprstvw'), fc.constantFrom(...'aeiou')).map(([before, vowel]) => before + vowel)
  const vocabulary = [
    ...new Set(
      fc.sample(fc.array(syllable, { minLength: 2, maxLength: 6, size: 'max' }), { numRuns: 20_000, seed: 3 }).map(parts => parts.join('')),
    ),
  ].filter(known => known.length >= 4)
  await sql`insert into search_word (organization_id, project_id, word)
    select ${organizationId}, ${projectId}, known from unnest(${vocabulary}::text[]) known`.execute(db)
  // Without statistics too, as in an installation that has just been filled.
  const asked = await lookupOf(db, organizationId, projectId, ['bacedi'])
  const explained = CompiledQuery.raw(`explain (format json) ${asked}`, [organizationId, [projectId], ['bacedi']])
  expect(JSON.stringify((await db.executeQuery(explained)).rows)).toContain('search_word_near')
  await sql`analyze search_word`.execute(db)
  for (const [index, change] of fc.sample(edit, { numRuns: 20, seed: 4 }).entries()) {
    const typed = edited(vocabulary[index * 500] as string, change)
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Actual Rows': number } }] }>`
      explain (analyze, format json) select from search_word where organization_id = ${organizationId} and project_id = ${projectId}
        and search_near(organization_id, project_id, word) @@ search_near_query(${organizationId}, array[${projectId}]::bigint[], ${typed})`.execute(
      db,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    expect([typed, JSON.stringify(plan)]).toEqual([typed, expect.stringContaining('search_word_near')])
    expect(plan?.['Actual Rows'], typed).toBeLessThan(vocabulary.length / 50)
  }
})

test('the check whether a word is known uses the index of words, also with many pending entries', async () => {
  await using server = await startServer()
  const { db } = server
  const organizationId = await makeOrganization(db)
  const { projectId, templates, states } = await makeProject(db, organizationId)
  await executeUnlimited(
    server,
    sql`
      insert into ticket (organization_id, project_id, template_id, state_id, title)
      select ${organizationId}, ${projectId}, ${templates.bug}, ${states.open}, 'Replace part ' || md5(n::text) from generate_series(1, 3000) n`,
  )
  await sql`vacuum analyze ticket_search`.execute(db)
  await sql`/* all organizations: operator */ alter index ticket_search_words set (gin_pending_list_limit = 65536)`.execute(db)
  await sql`update ticket_search set words = words || '''saved'':1' where organization_id = ${organizationId} and ticket_id % 5 = 0`.execute(
    db,
  )
  const asked = await lookupOf(db, organizationId, projectId, ['bacedi'])
  const plan = await db.transaction().execute(async transaction => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    const explained = CompiledQuery.raw(`explain (analyze, format json) ${asked}`, [organizationId, [projectId], ['bacedi']])
    return JSON.stringify((await transaction.executeQuery(explained)).rows)
  })
  expect(plan).toContain('ticket_search_words')
  // The newest two hundred are looked at first.
  for (const [, removed] of plan.matchAll(/"Rows Removed by Filter":(\d+)/g)) expect(Number(removed)).toBeLessThanOrEqual(200)
})

test('a mistyped word finds what was meant, and the answer names the words that were searched', async () => {
  await using server = await startServer()
  const { make, search, hidden, organization } = await searchWorld(server)
  await make('Payment authorization')
  await makeTicket(server.db, organization, hidden, { title: 'Paymant of the hidden' })
  for (const [query, also] of [
    ['paymnet', 'payment'],
    ['paymen', undefined],
    ['pyment', 'payment'],
    ['xayment', 'payment'],
    ['autorizatoin', 'authorization'],
    ['uathor', 'authorization'],
    ['autroizat', 'authorization'],
    ['paymnet autor', 'authorization'],
  ] as const) {
    const answer = await search(query)
    expect.soft([query, answer.Tickets.map(({ Title }) => Title)]).toEqual([query, ['Payment authorization']])
    expect.soft([query, answer.Also?.slice(-1)]).toEqual([query, also && [also]])
  }
  expect(await search('paymXXX')).toEqual({ Tickets: [], NextCursor: null, Total: 0, TotalIsExact: 1 })
  for (const query of ['"paymnet"', '"autroizat"', 'autroizat payment x', 'paymam', 'payment -autroizat paymXX', 'atho'])
    expect([query, (await search(query)).Total]).toEqual([query, 0])
})

test('the answer does not name a word of a text that is gone', async () => {
  await using server = await startServer()
  const { caller, make, search } = await searchWorld(server)
  await make('Payment authorization')
  const gone = await make('Paymend to Paymenk & Co')
  expect((await search('paymenx')).Also?.toSorted()).toEqual(['paymend', 'paymenk', 'payment'])
  await server.as(caller, setTicketData, { idTicket: gone, Title: 'Nothing' })
  expect(await search('paymenx')).toMatchObject({ Tickets: [{ Title: 'Payment authorization' }], Also: ['payment'] })
})

/** The statement that looks up words like these. */
async function lookupOf(db: Db, organizationId: number, projectId: number, words: string[]) {
  let asked = ''
  onRun(({ text }) => {
    if (text.includes('search_near(')) asked = text
  })
  const reach = {
    isAdmin: false,
    projects: [{ id: projectId } as ReachedProject],
    fields: new Map(),
    columns: [],
    typeRanks: new Map(),
    frequentTitles: [],
  }
  await similarWords(db, { organizationId } as Searcher, reach, words)
  return asked
}
