import { statement } from '../../../db/db.ts'
import { bool, int8, json, type RowOf, text } from '../../../db/shape.ts'
import { joinMemberships, mayViewTickets } from '../../../lib/proofs.ts'
import { personName } from '../assignees/person-name.ts'
import { notMuted } from '../mentions/mentioned-people.ts'

const recipientRow = { id: int8, email: text }
export type Recipient = RowOf<typeof recipientRow>

/** SQL: the user `u` is notified of changes of the ticket, by their own setting `n` or, without one, as its creator or an assignee. $1 is the organization. */
export const isNotified = (ticket: string) => `coalesce(n.enabled, u.auto_receive_notifications and (${ticket}.created_by = u.id or exists (
      select 1 from assignment a where a.organization_id = $1 and a.ticket_id = ${ticket}.id and a.user_id = u.id)), false)`

/**
 * Selects from the people `u` who watch a ticket: by their toggle or, without one, because they created it or hold a role on it. $1 is the organization.
 */
export const watching = (select: string, condition = '', ticket = '$2', project = '$3') => `
  select ${select}
  from (
    select n.user_id from subscription n where n.organization_id = $1 and n.ticket_id = ${ticket} and n.enabled
    union select a.user_id from assignment a where a.organization_id = $1 and a.ticket_id = ${ticket}
    union select made.created_by from ticket made where made.organization_id = $1 and made.id = ${ticket} and made.created_by is not null) c
  join user_account u on u.id = c.user_id and not u.disabled ${condition}
  left join subscription n on n.organization_id = $1 and n.ticket_id = ${ticket} and n.user_id = u.id ${joinMemberships(project)}
  where coalesce(n.enabled, u.auto_receive_notifications) and ${mayViewTickets}`

/** Watchers, with or without an address. */
export const watchers = statement(
  { idUser: int8, Login: text, Name: text },
  `${watching(`u.id as "idUser", u.login as "Login", ${personName} as "Name"`)} order by lower(unaccent(${personName})), u.id`,
)

/** The people who are notified about the ticket now. */
export const recipients = statement(recipientRow, `${watching('u.id, u.email', "and u.email <> ''")} order by u.id`)

/**
 * The tickets of project $2 about which person $3 is still to be notified, out of $4, which they followed, and $5, which mention them. `gone`: one of the
 * comments $6 is deleted. Each mail asks this, so it does not read the other people.
 */
export const stillTold = statement(
  { email: text, tickets: json<number[]>(), gone: bool },
  `
  select u.email, json_agg(t.id order by t.id) as tickets,
    exists (select from comment c where c.organization_id = $1 and c.id = any($6::bigint[]) and c.deleted_at is not null) as gone
  from user_account u join ticket t on t.organization_id = $1 and t.id = any($4::bigint[] || $5::bigint[])
  left join subscription n on n.organization_id = $1 and n.ticket_id = t.id and n.user_id = u.id ${joinMemberships('$2')}
  where u.id = $3 and not u.disabled and u.email <> '' and ${mayViewTickets}
    and (${isNotified('t')} or (t.id = any($5::bigint[]) and ${notMuted}))
  group by u.id, u.email`,
)
