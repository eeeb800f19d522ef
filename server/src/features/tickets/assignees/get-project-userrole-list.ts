import * as contract from '@tessera/contract/tickets/assignees'
import { run, statement } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const pairs = statement(
  { idUser: int8, idRole: int8 },
  'select user_id as "idUser", role_id as "idRole" from assignment where organization_id = $1 and ticket_id = $2 order by user_id, role_id',
)

export const getProjectUserroleList = implement(contract.getProjectUserroleList, async ({ db, scope }) =>
  (await run(db, pairs, [scope.organizationId, scope.ticketId])).map(pair => ({ ...pair, Enabled: 1 as const })),
)
