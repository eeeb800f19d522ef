import { sampled } from '../../search/results/candidates.ts'
import { likeContaining } from '../ticket-keys.ts'

/** With fewer root tickets, the index is fast enough for any title. */
const fewTickets = 25_000
/** So many of the sample, one in thirteen: a match by the index costs twelve times as much as a title that is read, and more where the index is not cached. */
const frequentHits = 10

/** The parameter of `isFrequentTitle`. */
export function titleLike({ Title }: { Title?: string | undefined }) {
  return Title ? likeContaining(Title) : null
}

/**
 * SQL: whether a sample of the titles of the project, spread evenly over the ids, shows that many contain what `like` looks for; false if that is null.
 * Then all titles are read: the index needs some five pages for each match, and a page has forty titles.
 */
export function isFrequentTitle(like: string, project = '$2') {
  const end = (direction: string) =>
    `(select t.id from ticket t where t.organization_id = $1 and t.project_id = ${project} order by t.id ${direction} limit 1)`
  return `case when ${like}::text is null then false else (
    select count(*) filter (where sample.title ilike ${like}) >= ${frequentHits}
    from (select ${end('asc')} as first, ${end('desc')} as last) ids cross join generate_series(1, ${sampled}) n
    cross join lateral (
      select t.title from ticket t where t.organization_id = $1 and t.project_id = ${project}
        and t.id >= ids.first + (ids.last - ids.first) * (hashint8(n) & 65535) / 65536 order by t.id limit 1
    ) sample
    where (select sum(r.tickets) from root_tally r where r.organization_id = $1 and r.project_id = ${project}) >= ${fewTickets}
  ) end`
}
