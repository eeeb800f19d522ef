import { statement } from '../../../../db/db.ts'
import { int8, json, nullable, text } from '../../../../db/shape.ts'
import { ticketPart } from '../../../../lib/changes.ts'
import { joinMemberships, mayViewTickets } from '../../../../lib/proofs.ts'
import { personName } from '../../assignees/person-name.ts'

/**
 * The author of the set $2, who is the same in all its changes, and the project $3. Asked for one of the changes, PostgreSQL may walk through the whole
 * history to find it.
 */
export const setOf = statement(
  { what: text, author: nullable(int8), name: text, pcode: text },
  `
  select coalesce(s.what, 'bulk') as what, c.user_id as author, coalesce(${personName}, 'Somebody') as name, p.short_code as pcode
  from (select distinct user_id from change where organization_id = $1 and change_set_id = $2) c
  join project p on p.organization_id = $1 and p.id = $3
  left join change_set_summary s on s.organization_id = $1 and s.id = $2 left join user_account u on u.id = c.user_id`,
)

const changed = 'from change c where c.organization_id = $1 and c.change_set_id = $2 and c.id >= $3 and c.ticket_id is not null'

/**
 * Who is notified of the set $2 from the change $3 on, like the `recipients` of each of its tickets; $4 is the project, $5 the author. Whoever follows a
 * ticket that was trashed or restored is not also told of those below it, `root_id` being that ticket.
 */
export const followers = statement(
  { id: int8, email: text, tickets: json<number[]>() },
  `
  with told as materialized (
    select c.ticket_id, min(case when c.field = 'Trash' then coalesce(c.after, c.before)::bigint else c.ticket_id end) as root_id ${changed} group by c.ticket_id
  )
  select f.id, f.email, json_agg(f.ticket_id order by f.ticket_id) as tickets
  from (
    select u.id, u.email, w.ticket_id, w.root_id, bool_or(w.ticket_id = w.root_id) over (partition by u.id, w.root_id) as follows_root
    from (
      select n.user_id, told.* from told join subscription n on n.organization_id = $1 and n.ticket_id = told.ticket_id and n.enabled
      union select a.user_id, told.* from told join assignment a on a.organization_id = $1 and a.ticket_id = told.ticket_id
      union select made.created_by, told.* from told join ticket made on made.organization_id = $1 and made.id = told.ticket_id
        where made.created_by is not null) w
    join user_account u on u.id = w.user_id and not u.disabled and u.email <> '' and u.id is distinct from $5::bigint
    left join subscription n on n.organization_id = $1 and n.ticket_id = w.ticket_id and n.user_id = u.id
    ${joinMemberships('$4')}
    where coalesce(n.enabled, u.auto_receive_notifications) and ${mayViewTickets}
  ) f
  where f.ticket_id = f.root_id or f.follows_root is not true
  group by f.id, f.email order by f.id`,
)

/** Texts of fields that may mention somebody, each once. */
export const textsOf = statement(
  { key: text, text: text, tickets: json<number[]>() },
  `
  select substr(c.field, 6) as key, c.after as text, json_agg(c.ticket_id order by c.ticket_id) as tickets
  ${changed} and c.field like 'data.%' and c.after like '%@%' group by c.field, c.after order by 1, 2 limit 100`,
)

/** What the set changed of the tickets $4. */
export const changesShown = statement(
  { ticket: int8, title: text, field: ticketPart, before: nullable(text), after: nullable(text) },
  `
  select t.id as ticket, t.title, s.field, s.before, s.after
  from (select c.* ${changed} and c.ticket_id = any($4::bigint[])) s
  join ticket t on t.organization_id = $1 and t.id = s.ticket_id order by s.id`,
)
