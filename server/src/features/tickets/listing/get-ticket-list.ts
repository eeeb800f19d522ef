import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/tickets'
import { shortRead, statement } from '../../../db/db.ts'
import { bool, type RowOf } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import { JsonText } from '../../../http/json/json-text.ts'
import { reading } from '../../../lib/authorize.ts'
import { notFound } from '../../../lib/failure.ts'
import { listAnswer, listRow, listText, pageColumns, readTickets } from '../pages/list-rows.ts'

/** A list that is longer takes a turn: up to 10,000 tickets keep the process busy. */
const short = limits.pageSizeMax

const shape = { parent: bool, ...listRow }

function listOf(level: 'roots' | 'children', limit: number) {
  const [parent, isParent] =
    level === 'roots'
      ? ['true', 'parent_id is null']
      : ['exists (select 1 from ticket p where p.organization_id = $1 and p.project_id = $5 and p.id = $6)', 'parent_id = $6']
  return reading(
    'project',
    shape,
    `with page as materialized (
      select ${pageColumns} from ticket t where organization_id = $1 and project_id = $5 and ${isParent} and trashed_at is null
      order by id desc limit ${limit}
    ) select ${parent} as parent, ${listAnswer('$5', 'scope.user_id', 'id desc')}`,
    limit > short + 1 ? statement : shortRead,
  )
}
const lists = {
  roots: { short: listOf('roots', short + 1), whole: listOf('roots', limits.list) },
  children: { short: listOf('children', short + 1), whole: listOf('children', limits.list) },
}

export const getTicketList = implementWith(
  contract.getTicketList,
  {
    mayUseReplica: true,
    read: ({ idParent }, hasTurn) => ({
      statement: lists[idParent === undefined ? 'roots' : 'children'][hasTurn ? 'whole' : 'short'],
      parameters: idParent === undefined ? [] : [idParent],
      needsTurn: (row: RowOf<typeof shape>) => !hasTurn && readTickets(row).ids.length > short,
    }),
  },
  async ({ row }) => {
    if (!row?.parent) throw notFound()
    return new JsonText(listText(row, readTickets(row)))
  },
)
