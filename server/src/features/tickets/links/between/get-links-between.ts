import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/links'
import { run, statement } from '../../../../db/db.ts'
import { as, int8, text } from '../../../../db/shape.ts'
import { implement } from '../../../../http/implement.ts'

/** $2 is the project, $3 the tickets. */
const linksBetween = statement(
  { idFrom: int8, idTo: int8, Kind: as<'blocks' | 'precedes'>(text) },
  `
  with own as materialized (
    select t.id from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id = any($3::bigint[])
  )
  select l.from_ticket_id as "idFrom", l.to_ticket_id as "idTo", l.kind as "Kind"
  from ticket_link l
  where l.organization_id = $1 and l.from_ticket_id = any(array(select id from own)) and l.to_ticket_id = any(array(select id from own))
    and l.kind in ('blocks', 'precedes')
  order by l.id limit ${limits.linksBetween}`,
)

export const getLinksBetween = implement(contract.getLinksBetween, ({ db, scope, input }) =>
  run(db, linksBetween, [scope.organizationId, scope.projectId, input.Tickets]),
)
