import type { Words } from '../query/compile-query.ts'

/** How many of the newest matches are collected for ranking, and how many of those with all words in the title. */
export const collected = 1000
/** The size of the sample of the organization's tickets, spread evenly over the ids, that is read before anything is counted. */
export const sampled = 128
/** From this number of hits in the sample, a word is frequent: a scan from the newest ticket backwards soon finds a thousand. */
const frequentHits = 4
/** Where `most` is a larger share of the tickets, which is below 25,000 of them, counting is as cheap as a sample. */
const largestShare = 0.1

/**
 * The newest tickets that have the words, and those that have them in the title. For a frequent word the tickets are scanned from the newest
 * backwards; above `most` matches that costs less than reading all of them by the index. Words that are frequent in a sample are not counted at all.
 */
export function candidatesOf(anywhere: Words, inTitle: Words) {
  const end = (direction: string) =>
    `(select s.ticket_id from ticket_search s where s.organization_id = $1 order by s.ticket_id ${direction} limit 1)`
  const isFrequent = (words: Words) =>
    `count(*) filter (where s.words @@ ${words.query}) >= greatest(${frequentHits}, ${sampled} * max(rare.share))`
  // `is true` keeps the planner from reading all matches by the index of words, only to sort them.
  const backwards = `select s.ticket_id from ticket_search s
    where s.organization_id = $1 and s.project_id = any($2::bigint[]) and (s.words @@ ${anywhere.query}) is true`
  const newest = (ids: string, only: string) =>
    `(select ticket_id as id from (${ids} ${only} order by ticket_id desc limit ${collected + 1}) newest)`
  return `rare as materialized (
      select most, most / greatest(1, tickets) as share from (
        select tickets, greatest(2000, sqrt(${collected} * tickets) / 2)::int as most from (
          select coalesce(sum(r.tickets), 0)::float8 as tickets from root_tally r where r.organization_id = $1 and r.project_id = any($2::bigint[])
        ) tally
      ) each
    ), sample as materialized (
      select ${isFrequent(anywhere)} as is_frequent, ${isFrequent(inTitle)} as is_frequent_title
      from rare cross join (select ${end('asc')} as first, ${end('desc')} as last) ids cross join generate_series(1, ${sampled}) n
      cross join lateral (
        select s.project_id, s.words from ticket_search s
        where s.organization_id = $1 and s.ticket_id >= ids.first + (ids.last - ids.first) * (hashint8(n) & 65535) / 65536 order by s.ticket_id limit 1
      ) s
      where rare.share < ${largestShare} and s.project_id = any($2::bigint[])
    ), worded as materialized (
      ${anywhere.ids} and (select not is_frequent from sample) limit (select most + 1 from rare)
    ), counted as materialized (
      select case when is_frequent then most + 1 else (select count(*) from worded) end as many, most from sample, rare
    ), titled as materialized (
      ${inTitle.ids} and (select many > ${collected} and not is_frequent_title from counted, sample) limit (select most + 1 from rare)
    ), candidates as materialized (
      ${newest('select ticket_id from worded', 'where (select many <= most from counted)')}
      union ${newest(backwards, 'and (select many > most from counted)')}
      union ${newest('select ticket_id from titled', 'where (select count(*) from titled) <= (select most from rare)')}
    ),`
}
