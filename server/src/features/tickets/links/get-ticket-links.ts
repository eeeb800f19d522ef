import type { Response } from '@tessera/contract/call'
import { propertyType } from '@tessera/contract/projects/project-config'
import * as contract from '@tessera/contract/tickets/links'
import { run, statement } from '../../../db/db.ts'
import { int8, json, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { kindSeenFrom, shownKinds } from './link-kinds.ts'

type Ticket = Response<typeof contract.getTicketLinks>[number]['Ticket']
const row = { idLink: int8, from: int8, kind: text, Ticket: nullable(json<NonNullable<Ticket>>()) }
const links = statement(
  row,
  `
  select l.id as "idLink", l.from_ticket_id as "from", l.kind,
    case when $4::boolean or m.permissions & 1 = 1 then json_strip_nulls(json_build_object('id', t.id, 'pcode', p.short_code, 'Title', t.title,
      'idState', s.id, 'State', s.name, 'Phase', s.phase, 'idProject', t.project_id,
      'Trashed', case when t.trashed_at is not null then 1 end)) end as "Ticket"
  from ticket_link l
  join ticket t on t.organization_id = $1 and t.id = case when l.from_ticket_id = $2 then l.to_ticket_id else l.from_ticket_id end
  join project p on p.organization_id = $1 and p.id = t.project_id
  join state s on s.organization_id = $1 and s.id = t.state_id
  left join project_member m on m.organization_id = $1 and m.project_id = t.project_id and m.user_id = $3
  where l.organization_id = $1 and (l.from_ticket_id = $2 or l.to_ticket_id = $2)
  order by l.id`,
)

/**
 * Tickets that name this one, `OPS-42`, in a comment or a long text. The search index has each such key as one word (`ops42A42` ends the key's
 * words); the text itself is then checked, because `OPS 42` is indexed in the same way. $4 says whether the caller is an admin.
 */
const references = statement(
  { Ticket: json<NonNullable<Ticket>>() },
  `
  with own as materialized (
    select p.short_code || '-' || $2::bigint as key from ticket t join project p on p.organization_id = $1 and p.id = t.project_id
    where t.organization_id = $1 and t.id = $2
  ), sought as materialized (
    select '(^|[^[:alnum:]_/@#&.-])' || key || '($|[^[:alnum:]_-])' as pattern,
      ('''' || substring(search_words(key, false) from '([^ A]+)(A[^ ]*)?$') || ''':BC')::tsquery && search_projects(array(
        select p.id from project p left join project_member m on m.organization_id = $1 and m.project_id = p.id and m.user_id = $3
        where p.organization_id = $1 and ($4::boolean or m.permissions & 1 = 1))) as words
    from own
  ), found as materialized (
    select s.ticket_id as id from ticket_search s
    where s.organization_id = $1 and s.ticket_id <> $2 and s.words @@ (select words from sought)
  ), newest as materialized (
    select id from found order by id desc limit 200
  )
  select json_build_object('id', t.id, 'pcode', p.short_code, 'Title', t.title,
    'idState', s.id, 'State', s.name, 'Phase', s.phase, 'idProject', t.project_id) as "Ticket"
  from newest join ticket t on t.organization_id = $1 and t.id = newest.id and t.trashed_at is null
  join project p on p.organization_id = $1 and p.id = t.project_id
  join state s on s.organization_id = $1 and s.id = t.state_id
  where exists (select 1 from comment c where c.organization_id = $1 and c.ticket_id = t.id and c.deleted_at is null
      and c.text ~* (select pattern from sought))
    or exists (select 1 from ticket_value v join field f on f.organization_id = $1 and f.id = v.field_id and f.type_id = ${propertyType.TEXTMULTILINE}
      where v.organization_id = $1 and v.ticket_id = t.id and v.value ~* (select pattern from sought))
  order by t.id desc limit 50`,
)

export const getTicketLinks = implement(contract.getTicketLinks, async ({ db, scope, input }) => {
  const parameters = [scope.organizationId, scope.ticketId, scope.userId, scope.admin]
  const rows = await run(db, links, parameters)
  const shown = rows
    .map(({ idLink, Ticket, ...link }) => ({ idLink, Kind: kindSeenFrom(scope.ticketId, link), Ticket }))
    .sort((a, b) => shownKinds.indexOf(a.Kind) - shownKinds.indexOf(b.Kind))
  if (input.References !== 1) return shown
  const naming = await run(db, references, parameters)
  return [...shown, ...naming.map(({ Ticket }) => ({ Kind: 'mentioned-in' as const, Ticket }))]
})
