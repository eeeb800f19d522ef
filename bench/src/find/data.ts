import type { Db } from '@tessera/server/db/db'
import { sql } from 'kysely'

/** Pronounceable words: the first ones are frequent, most are rare, as in real text. */
export const vocabulary = 40_000
const syllable = (number: string) => `substr('bcdfghklmnprstvw', 1 + (${number}) % 80 / 5, 1) || substr('aeiou', 1 + (${number}) % 5, 1)`
const wordSql = [
  syllable('n'),
  syllable('n / 80'),
  syllable('n / 6400 + n * 31'),
  `case when n % 2 = 0 then ${syllable('n * 17')} else '' end`,
]

export async function makeWords(db: Db) {
  await sql`create temporary table bench_word as
    select n, ${sql.raw(wordSql.join(' || '))} as word from generate_series(0, ${sql.lit(vocabulary - 1)}) n`.execute(db)
}

/** The words themselves, for queries. */
export function wordOf(n: number): string {
  const part = (number: number) => `${'bcdfghklmnprstvw'[Math.floor((number % 80) / 5)]}${'aeiou'[number % 5]}`
  return `${part(n)}${part(Math.floor(n / 80))}${part(Math.floor(n / 6400) + n * 31)}${n % 2 === 0 ? part(n * 17) : ''}`
}

/** The word with two neighboring letters swapped. */
export const misspelt = (word: string) => word.replace(/^(..)(.)(.)/, '$1$3$2')

/** SQL: `i`, every second ticket, with a text of this many words. */
export function textsOf(words: number, tickets: number, rest: 0 | 1) {
  return sql.raw(`(
    select i, string_agg(w.word, ' ') as text from generate_series(1, ${tickets}) i cross join generate_series(1, ${words}) k
    join bench_word w on w.n = floor(${vocabulary} * power((hashint8(i * 64 + k) & 16777215) / 16777216.0, 3))::int
    where i % 2 = ${rest} group by i) texts`)
}

/** The indexes of the search are created at the end: maintaining them row by row would take minutes. */
export async function withoutSearchIndexes(db: Db, fill: () => Promise<void>) {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where indexname in ('ticket_search_words', 'search_word_near')`.execute(
    db,
  )
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db)
  await fill()
  for (const { definition } of rows) await sql.raw(definition).execute(db)
}

/** What the triggers of the search would have written; nothing for a checkout from before the search. */
export async function makeSearchRows(db: Db, organizationId: number) {
  const { rows } = await sql<{ search: string | null }>`select to_regclass('ticket_search')::text as search`.execute(db)
  if (!rows[0]?.search) return
  await sql`
    insert into ticket_search (organization_id, project_id, ticket_id, words, grams, comment_words, comment_bytes)
    select t.organization_id, t.project_id, t.id, (search_title(t.project_id, t.title) || ' ' || search_lexemes(fields.words, 'B', '', 4000, 9999) || ' '
        || search_lexemes(comments.words, 'C', '', 10000, 16383))::tsvector,
      search_grams(t.title, t.id, t.project_id), coalesce(cardinality(string_to_array(comments.words, ' ')), 0), coalesce(octet_length(comments.words), 0)
    from ticket t
    left join lateral (select search_words(v.value, false) as words from ticket_value v join field f on f.organization_id = v.organization_id and f.id = v.field_id
      where v.organization_id = t.organization_id and v.ticket_id = t.id and f.type_id = 1) fields on true
    left join lateral (select search_words(c.text, false) as words from comment c
      where c.organization_id = t.organization_id and c.ticket_id = t.id) comments on true
    where t.organization_id = ${organizationId} order by t.id`.execute(db)
  await sql`
    insert into search_word (organization_id, project_id, word)
    select distinct p.organization_id, p.id, w.word from project p cross join bench_word w where p.organization_id = ${organizationId}`.execute(
    db,
  )
}

/** Two DATE fields that nine tenths of the tickets have: days over five years, up to three weeks apart. */
export async function makeDays(db: Db, { organizationId, projectId }: { organizationId: number; projectId: number }) {
  const [o, p] = [sql.lit(organizationId), sql.lit(projectId)]
  await sql`
    with made as (
      insert into field (organization_id, project_id, key, label, type_id, position)
      values (${o}, ${p}, 'start', 'Start', 5, 3), (${o}, ${p}, 'due', 'Due', 5, 4) returning id, key
    )
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    select ${o}, t.id, made.id, (date '2024-06-01' + (t.id * 7919 % 1826 + case made.key when 'due' then t.id % 21 else 0 end)::int)::text
    from ticket t cross join made where t.organization_id = ${o} and t.project_id = ${p} and t.id % 10 <> 4`.execute(db)
}
