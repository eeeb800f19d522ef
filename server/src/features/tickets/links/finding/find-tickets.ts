import type { Phase } from '@tessera/contract/scalars'
import * as contract from '@tessera/contract/tickets/links'
import { type RawBuilder, sql } from 'kysely'
import { queryRows } from '../../../../db/db.ts'
import { as, int2, int8, text } from '../../../../db/shape.ts'
import { implement } from '../../../../http/implement.ts'
import { isKey, likeContaining } from '../../ticket-keys.ts'
import { mayView } from '../queries.ts'

/** More words than this are ignored. */
const wordsRead = 8
/** How many of the project's newest tickets are searched before the index is used: frequent words are found among these. */
const newestRead = 1000

export const findTickets = implement(contract.findTickets, async ({ db, scope, input }) => {
  const { organizationId, projectId } = scope
  const sought = input.Text.trim()
  if (sought === '') return []
  const organization = sql`${organizationId}::bigint`
  const isNamed = isNamedBy(sought)
  const { hasWords, isIndexed } = wordConditions(sought, organization)
  return queryRows(db, {
    id: int8,
    idProject: int8,
    Title: text,
    State: text,
    idState: int8,
    pcode: text,
    Phase: as<Phase>(int2),
  })`
    with newest as materialized (
      select t.id from (
        select t.id, t.title from ticket t where t.organization_id = ${organization} and t.project_id = ${projectId} and t.trashed_at is null
        order by t.id desc limit ${newestRead}
      ) t where ${hasWords} order by t.id desc limit 8
    ), found as materialized (
      select id from newest
      union
      (select t.id from (
        select s.ticket_id as id, s.project_id = ${projectId} as is_own from ticket_search s
        where s.organization_id = ${organization} and (select count(*) from newest) < 8 and ${mayView(scope, 's.project_id')} and ${isIndexed}
        order by is_own desc, id desc offset 0
      ) s join ticket t on t.organization_id = ${organization} and t.id = s.id
      where t.trashed_at is null and ${hasWords} order by s.is_own desc, s.id desc limit 8)
      ${
        isNamed
          ? sql`union select t.id from ticket t join project p on p.organization_id = ${organization} and p.id = t.project_id
        where t.organization_id = ${organization} and ${isNamed}`
          : sql``
      }
    )
    select t.id, p.short_code as pcode, t.title as "Title", s.id as "idState", s.name as "State", s.phase as "Phase", t.project_id as "idProject"
    from found join ticket t on t.organization_id = ${organization} and t.id = found.id
    join project p on p.organization_id = ${organization} and p.id = t.project_id
    join (select id, name, phase from state where organization_id = ${organization} offset 0) s on s.id = t.state_id
    where t.trashed_at is null and ${mayView(scope, 't.project_id')}
    order by ${isNamed ? sql`coalesce(${isNamed}, false) desc, ` : sql``}t.project_id = ${projectId} desc, t.id desc limit 8`
})

/** SQL: ticket `t` of project `p` has this key, or had it where it was imported from; null if the text cannot be a key. */
function isNamedBy(sought: string): RawBuilder<unknown> | null {
  const [, code = null, digits = null] = /^(?:(\w{1,16})-)?(\d{1,15})$/.exec(sought) ?? []
  const hasKey = digits && sql`(t.id = ${digits}::bigint and lower(p.short_code) = lower(coalesce(${code}::text, p.short_code)))`
  if (!isKey(sought)) return hasKey || null
  const hadKey = sql`lower(t.external_id) = lower(${sought})`
  return hasKey ? sql`(${hadKey} or ${hasKey})` : hadKey
}

function wordConditions(sought: string, organization: RawBuilder<unknown>) {
  const words = sought.split(/\s+/).slice(0, wordsRead)
  const every = (conditionOf: (word: string) => RawBuilder<unknown>) => sql.join(words.map(conditionOf), sql` and `)
  return {
    // Any part of a title, or the beginning of one of its words whatever the accents. "offset 0" keeps PostgreSQL from reading all tickets that have the
    // word, to hash them for a few.
    hasWords: every(
      word => sql`(t.title ilike ${likeContaining(word)} or exists (select from ticket_search s
        where s.organization_id = ${organization} and s.ticket_id = t.id and s.words @@ search_query(${word}::text, '=', '', true) offset 0))`,
    ),
    // All words in one scan, so that PostgreSQL can intersect what the index knows of each: frequent words that seldom occur together cost little.
    isIndexed: every(
      word => sql`(s.grams @@ search_gram_query(${word}::text, '') or s.words @@ search_query(${word}::text, '=', '', true))`,
    ),
  }
}
