import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/tickets'
import { run, statement } from '../../../db/db.ts'
import { bool } from '../../../db/shape.ts'
import { implementReading } from '../../../http/implement.ts'
import { JsonText } from '../../../http/json/json-text.ts'
import { notFound } from '../../../lib/failure.ts'
import { listAnswer, listRow, listText, pageColumns, readTickets } from '../queries.ts'

const row = { parent: bool, ...listRow }

const roots = statement(
  row,
  `with page as materialized (
    select ${pageColumns} from ticket where organization_id = $1 and project_id = $2 and parent_id is null and trashed_at is null
    order by id desc limit ${limits.list}
  ) select true as parent, ${listAnswer('$2', '$3', 'id desc')}`,
)
const children = statement(
  row,
  `with page as materialized (
    select ${pageColumns} from ticket where organization_id = $1 and project_id = $2 and parent_id = $4 and trashed_at is null
    order by id desc limit ${limits.list}
  ) select exists (select 1 from ticket p where p.organization_id = $1 and p.project_id = $2 and p.id = $4) as parent,
    ${listAnswer('$2', '$3', 'id desc')}`,
)

// Up to 10,000 tickets: read when it is the caller's turn, and so not together with the proof.
export const getTicketList = implementReading(
  contract.getTicketList,
  () => undefined,
  async ({ db, scope: { organizationId, projectId, userId }, input: { idParent } }) => {
    const place = [organizationId, projectId, userId]
    const [found] = await (idParent === undefined ? run(db, roots, place) : run(db, children, [...place, idParent]))
    if (!found?.parent) throw notFound()
    return new JsonText(listText(found, readTickets(found)))
  },
  { mayUseReplica: true },
)
