import type { Phase } from '@tessera/contract/scalars'
import * as contract from '@tessera/contract/tickets/links'
import { sql } from 'kysely'
import { queryRows } from '../../../db/db.ts'
import { as, int2, int8, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { isKey, likeContaining } from '../rules.ts'
import { mayView } from './queries.ts'

/** More words than this are ignored. */
const wordsRead = 8

export const findTickets = implement(contract.findTickets, async ({ db, scope, input }) => {
  const { organizationId, projectId } = scope
  const sought = input.Text.trim()
  if (sought === '') return []
  const [, code = null, digits = null] = /^(?:(\w{1,16})-)?(\d{1,15})$/.exec(sought) ?? []
  const isOwnKey = sql`t.id = ${digits}::bigint and lower(p.short_code) = lower(coalesce(${code}::text, p.short_code))`
  const isNamed = isKey(sought)
    ? sql`(lower(t.external_id) = lower(${sought})${digits ? sql` or (${isOwnKey})` : sql``})`
    : digits && isOwnKey
  const words = sought.split(/\s+/).slice(0, wordsRead)
  const hasWords = sql.join(
    words.map(
      // Any part of a title, or the beginning of one of its words whatever the accents.
      word => sql`(t.id in (select s.ticket_id from ticket_search s where s.organization_id = ${organizationId}
        and s.grams @@ search_gram_query(${word}::text, '')) and t.title ilike ${likeContaining(word)}
        or t.id in (select s.ticket_id from ticket_search s where s.organization_id = ${organizationId}
        and s.words @@ search_query(${word}::text, '=', '', true)))`,
    ),
    sql` and `,
  )
  return queryRows(db, {
    id: int8,
    idProject: int8,
    Title: text,
    State: text,
    idState: int8,
    pcode: text,
    Phase: as<Phase>(int2),
  })`
    select t.id, p.short_code as pcode, t.title as "Title", s.id as "idState", s.name as "State", s.phase as "Phase", t.project_id as "idProject"
    from ticket t
    join project p on p.organization_id = ${organizationId} and p.id = t.project_id
    join state s on s.organization_id = ${organizationId} and s.id = t.state_id
    where t.organization_id = ${organizationId} and t.trashed_at is null and (${isNamed ? sql`${isNamed} or ` : sql``}${hasWords}) and ${mayView(scope, 't.project_id')}
    order by ${isNamed ? sql`coalesce(${isNamed}, false) desc, ` : sql``}t.project_id = ${projectId} desc, t.id desc limit 8`
})
