import { type Db, run, unpreparedStatement } from '../../../db/db.ts'
import { text } from '../../../db/shape.ts'
import type { Reach } from '../query/compile-query.ts'
import type { Searcher } from '../query/read-query.ts'

// Words that a mistyped word may have meant.

/** A word in these rows is known. This is checked first, because the index would read all tickets with a frequent word to find five. */
const newestRows = `select s.words from (
    select * from ticket_search s where s.organization_id = $1 order by s.ticket_id desc limit 200) s where s.project_id = any($2::bigint[])`
/**
 * A swap of two neighbors is one error, but two for levenshtein: then the letters are the same. The sum keeps PostgreSQL from reading all words of
 * the projects by the primary key, which it takes for cheaper than search_word_near while the table has no statistics. Without `materialized` it
 * would scan all tickets by the primary key to find five, whenever the index of words has a long pending list.
 */
const similarStatement = unpreparedStatement(
  { word: text, folded: text, similar: text },
  `
  select typed.word, typed.folded, known.word as similar
  from (
    select word, search_fold(word) as folded, search_query(word, '', '', false) as query from unnest($3::text[]) as given (word) offset 0
  ) typed
  cross join lateral (
    select w.word from (
      select distinct w.word, levenshtein_less_equal(w.word, typed.folded, case when length(typed.folded) < 8 then 2 else 4 end) as edits
      from search_word w
      where w.organization_id = $1 and w.project_id + 0 = any($2::bigint[])
        and search_near(w.organization_id, w.project_id, w.word) @@ search_near_query($1, $2::bigint[], typed.folded) and w.word <> typed.folded
    ) w
    where w.edits <= 1 or length(typed.folded) >= 8 and w.edits <= 4 or w.edits = 2 and length(w.word) = length(typed.folded)
      and array(select c from string_to_table(w.word, null) c order by c) = array(select c from string_to_table(typed.folded, null) c order by c)
    order by w.edits, w.word limit 200
  ) known
  where length(typed.folded) between 4 and 60 and case
    when (select count(*) from (${newestRows}) s where s.words @@ typed.query) >= 5 then false
    else (
      with found as materialized (
        select 1 from ticket_search s where s.organization_id = $1 and s.project_id = any($2::bigint[])
          and s.words @@ (typed.query && search_projects($2::bigint[]))
      ) select count(*) from (select from found limit 5) five) < 5 end`,
)
/** Words of these projects that are like the folded ones. */
export function similarWords(db: Db, { organizationId }: Searcher, { projects }: Reach, words: readonly string[]) {
  return run(db, similarStatement, [organizationId, projects.map(({ id }) => id), words])
}

/** Found by the four letters of their beginnings, one of which may be wrong. */
const begunStatement = unpreparedStatement(
  { folded: text, similar: text },
  `
  select typed.folded, known.word as similar
  from (
    select folded, search_any(array(
      select entry from unnest(tsvector_to_array(search_near($1, 0, folded))) entry where entry like '%:^%')) && search_projects($2::bigint[]) as query
    from (select search_fold($3) as folded offset 0) given offset 0
  ) typed
  cross join lateral (
    select w.word, (
      select min(levenshtein_less_equal(left(w.word, length(typed.folded) + n), typed.folded, 4)) from generate_series(-1, 1) n) as edits
    from (
      select distinct w.word from search_word w
      where w.organization_id = $1 and w.project_id + 0 = any($2::bigint[]) and search_near(w.organization_id, w.project_id, w.word) @@ typed.query
    ) w
  ) known
  where length(typed.folded) between 5 and 60 and known.edits <= case when length(typed.folded) < 8 then 2 else 4 end
  order by known.edits, length(known.word), known.word limit 100`,
)
/** Words of these projects that begin almost as the folded one does. */
export function wordsBegunLike(db: Db, { organizationId }: Searcher, { projects }: Reach, word: string) {
  return run(db, begunStatement, [organizationId, projects.map(({ id }) => id), word])
}

const wordsStatement = unpreparedStatement(
  { word: text },
  `
  select given.word from unnest($3::text[]) with ordinality as given (word, n) where given.word in (
    select unnest(tsvector_to_array(s.words)) from ticket_search s where s.organization_id = $1 and s.ticket_id = any($2::bigint[]))
  order by given.n`,
)
/** Those of the words that occur in these tickets, in the same order. */
export async function wordsOf(db: Db, { organizationId }: Searcher, tickets: readonly number[], words: readonly string[]) {
  if (words.length === 0) return []
  return (await run(db, wordsStatement, [organizationId, tickets, words])).map(({ word }) => word)
}
