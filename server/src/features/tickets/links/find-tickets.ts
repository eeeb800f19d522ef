import type { Response } from '@tessera/contract/call'
import * as contract from '@tessera/contract/links'
import { sql } from 'kysely'
import { implement } from '../../../http/implement.ts'
import { isKey, likeContaining } from '../rules.ts'
import { mayView } from './queries.ts'

/** More words than this narrow nothing. */
const wordsRead = 8

export const findTickets = implement(contract.findTickets, async ({ db, scope, input }) => {
  const { organizationId, projectId } = scope
  const text = input.Text.trim()
  if (text === '') return []
  const [, code = null, digits = null] = /^(?:(\w{1,16})-)?(\d{1,15})$/.exec(text) ?? []
  const isOwnKey = sql`t.id = ${digits}::bigint and lower(p.short_code) = lower(coalesce(${code}::text, p.short_code))`
  const isNamed = isKey(text) ? sql`(lower(t.external_id) = lower(${text})${digits ? sql` or (${isOwnKey})` : sql``})` : digits && isOwnKey
  const words = text.split(/\s+/).slice(0, wordsRead)
  const hasWords = sql.join(
    words.map(
      word => sql`t.id in (select s.ticket_id from ticket_search s where s.organization_id = ${organizationId}
        and s.grams @@ search_gram_query(${word}::text, '')) and t.title ilike ${likeContaining(word)}`,
    ),
    sql` and `,
  )
  const { rows } = await sql<Response<typeof contract.findTickets>[number]>`
    select t.id, p.short_code as pcode, t.title as "Title", s.id as "idState", s.name as "State", s.phase as "Phase", t.project_id as "idProject"
    from ticket t
    join project p on p.organization_id = ${organizationId} and p.id = t.project_id
    join state s on s.organization_id = ${organizationId} and s.id = t.state_id
    where t.organization_id = ${organizationId} and t.trashed_at is null and (${isNamed ? sql`${isNamed} or ` : sql``}${hasWords}) and ${mayView(scope, 't.project_id')}
    order by ${isNamed ? sql`${isNamed} desc, ` : sql``}t.project_id = ${projectId} desc, t.id desc limit 8`.execute(db)
  return rows
})
