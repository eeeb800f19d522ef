import { statement } from '../../../db/db.ts'
import { int8, type RowOf, text } from '../../../db/shape.ts'
import { personName } from '../queries.ts'

const recipientRow = { id: int8, email: text, name: text }
export type Recipient = RowOf<typeof recipientRow>

/** $1 organization, $2 ticket, $3 project. The people to notify of this ticket: the toggle decides; without it, the creator and everybody with a role on it. */
export const recipients = statement(
  recipientRow,
  `
  with candidate as (
    select n.user_id from subscription n where n.organization_id = $1 and n.ticket_id = $2 and n.enabled
    union select a.user_id from assignment a where a.organization_id = $1 and a.ticket_id = $2
    union select t.created_by from ticket t where t.organization_id = $1 and t.id = $2 and t.created_by is not null)
  select u.id, u.email, ${personName} as name
  from candidate c
  join user_account u on u.id = c.user_id and not u.disabled and u.email <> ''
  left join subscription n on n.organization_id = $1 and n.ticket_id = $2 and n.user_id = u.id
  left join organization_member m on m.organization_id = $1 and m.user_id = u.id
  left join project_member pm on pm.organization_id = $1 and pm.project_id = $3 and pm.user_id = u.id
  where coalesce(n.enabled, u.auto_receive_notifications)
    and (u.super or (m.user_id is not null and (m.admin or coalesce(pm.permissions, 0) & 1 = 1)))
  order by u.id`,
)
