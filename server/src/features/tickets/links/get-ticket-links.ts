import type { Response } from '@tessera/contract/call'
import * as contract from '@tessera/contract/links'
import { run, statement } from '../../../db/db.ts'
import { int8, json, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { kindSeenFrom, shownKinds } from './rules.ts'

type Ticket = Response<typeof contract.getTicketLinks>[number]['Ticket']
const row = { idLink: int8, from: int8, kind: text, Ticket: nullable(json<NonNullable<Ticket>>()) }
const links = statement(
  row,
  `
  select l.id as "idLink", l.from_ticket_id as "from", l.kind,
    case when $4::boolean or m.permissions & 1 = 1 then json_build_object('id', t.id, 'pcode', p.short_code, 'Title', t.title,
      'idState', s.id, 'State', s.name, 'Phase', s.phase, 'idProject', t.project_id) end as "Ticket"
  from ticket_link l
  join ticket t on t.organization_id = $1 and t.id = case when l.from_ticket_id = $2 then l.to_ticket_id else l.from_ticket_id end
  join project p on p.organization_id = $1 and p.id = t.project_id
  join state s on s.organization_id = $1 and s.id = t.state_id
  left join project_member m on m.organization_id = $1 and m.project_id = t.project_id and m.user_id = $3
  where l.organization_id = $1 and (l.from_ticket_id = $2 or l.to_ticket_id = $2)
  order by l.id`,
)

export const getTicketLinks = implement(contract.getTicketLinks, async ({ db, scope }) => {
  const rows = await run(db, links, [scope.organizationId, scope.ticketId, scope.userId, scope.admin])
  const shown = rows.map(({ idLink, Ticket, ...link }) => ({ idLink, Kind: kindSeenFrom(scope.ticketId, link), Ticket }))
  return shown.sort((a, b) => shownKinds.indexOf(a.Kind) - shownKinds.indexOf(b.Kind))
})
