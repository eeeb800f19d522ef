import * as contract from '@tessera/contract/tickets/tickets'
import { type Db, run, statement } from '../../db/db.ts'
import { int8 } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import type { SessionScope } from '../../lib/authorize.ts'

// A ticket's own key takes precedence over a key from another tracker.
const byKey = statement(
  { id: int8 },
  `
  select t.id from (
    select own.id, own.project_id, 1 as place from ticket own
    join project p on p.organization_id = $1 and p.id = own.project_id and lower(p.short_code) = lower($3)
    where own.organization_id = $1 and own.id = $4::bigint
    union all
    select imported.id, imported.project_id, 2 from ticket imported
    where imported.organization_id = $1 and lower(imported.external_id) = lower($2)
  ) t
  where $6::boolean or exists (
    select 1 from project_member m
    where m.organization_id = $1 and m.project_id = t.project_id and m.user_id = $5 and m.permissions & 1 = 1)
  order by t.place, t.id limit 1`,
)

/** The ticket with this key that the caller may see; null when there is none. */
export async function ticketByKey(db: Db, { organizationId, userId, admin }: SessionScope, key: string): Promise<number | null> {
  const given = key.trim()
  const [, code = null, digits = null] = /^(\w{1,16})-(\d{1,15})$/.exec(given) ?? []
  const [found] = await run(db, byKey, [organizationId, given, code, digits, userId, admin])
  return found?.id ?? null
}

export const getTicketByKey = implement(contract.getTicketByKey, async ({ db, scope, input }) => ({
  idTicket: await ticketByKey(db, scope, input.Key),
}))
