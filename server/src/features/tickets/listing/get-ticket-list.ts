import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/tickets'
import { statement } from '../../../db/db.ts'
import { bool } from '../../../db/shape.ts'
import { implementReading } from '../../../http/implement.ts'
import { JsonText } from '../../../http/json-text.ts'
import { reading } from '../../../lib/authorize.ts'
import { notFound } from '../../../lib/failure.ts'
import { listAnswer, listRow, listText, pageColumns, readTickets } from '../queries.ts'

const row = { parent: bool, ...listRow }

const roots = reading(
  'project',
  row,
  `with page as materialized (
    select ${pageColumns} from ticket where organization_id = $1 and project_id = $5 and parent_id is null and trashed_at is null
    order by id desc limit ${limits.list}
  ) select true as parent, ${listAnswer('$5', 'scope.user_id', 'id desc')}`,
  statement,
)
const children = reading(
  'project',
  row,
  `with page as materialized (
    select ${pageColumns} from ticket where organization_id = $1 and project_id = $5 and parent_id = $6 and trashed_at is null
    order by id desc limit ${limits.list}
  ) select exists (select 1 from ticket p where p.organization_id = $1 and p.project_id = $5 and p.id = $6) as parent,
    ${listAnswer('$5', 'scope.user_id', 'id desc')}`,
  statement,
)

export const getTicketList = implementReading(
  contract.getTicketList,
  ({ idParent }) => (idParent === undefined ? { statement: roots, parameters: [] } : { statement: children, parameters: [idParent] }),
  async ({ prepared: row }) => {
    if (!row?.parent) throw notFound()
    return new JsonText(listText(row, readTickets(row)))
  },
  { mayUseReplica: true },
)
