import * as contract from '@tessera/contract/tickets'
import { run, statement } from '../../db/db.ts'
import { notFound } from '../../lib/failure.ts'
import { implement } from '../../lib/implement.ts'
import { type ListRow, listColumns, listJoins } from './queries.ts'

const roots = statement<ListRow>(`select ${listColumns} from ticket t ${listJoins}
  where t.organization_id = $1 and t.project_id = $2 and t.parent_id is null and t.trashed_at is null order by t.id desc`)
const children = statement<ListRow>(`select ${listColumns} from ticket t ${listJoins}
  where t.organization_id = $1 and t.project_id = $2 and t.parent_id = $4 and t.trashed_at is null order by t.id desc`)
const exists = statement('select 1 from ticket where organization_id = $1 and project_id = $2 and id = $3')

export const getTicketList = implement(contract.getTicketList, async ({ db, scope, input: { idParent } }) => {
  const { organizationId, projectId, userId } = scope
  if (idParent === undefined) return run(db, roots, [organizationId, projectId, userId])
  const rows = await run(db, children, [organizationId, projectId, userId, idParent])
  if (rows.length === 0 && (await run(db, exists, [organizationId, projectId, idParent])).length === 0) throw notFound()
  return rows
})
