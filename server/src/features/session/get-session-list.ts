import * as contract from '@tessera/contract/people/session'
import { queryRows } from '../../db/db.ts'
import { acrossOrganizations } from '../../db/guard/across-organizations.ts'
import { int8, text, uuid } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { isLive } from './sessions.ts'

export const getSessionList = implement(contract.getSessionList, async ({ db, scope, system }) => {
  const rows = await queryRows(db, {
    id: uuid,
    Organization: text,
    Device: text,
    Address: text,
    DateCreated: int8,
    LastSeen: int8,
  })`${acrossOrganizations('own account')}
    select s.id, o.title as "Organization", s.device as "Device", s.address as "Address",
      floor(extract(epoch from s.created_at))::bigint as "DateCreated", floor(extract(epoch from s.last_seen_at))::bigint as "LastSeen"
    from session s join organization o on o.id = s.organization_id
    where s.user_id = ${scope.userId} and ${isLive(system.config.session)}
    order by s.created_at desc, s.id`
  return rows.map(row => ({ ...row, Current: row.id === scope.sessionId ? (1 as const) : (0 as const) }))
})
