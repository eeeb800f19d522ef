import * as contract from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import { run, statement } from '../../../db/db.ts'
import { as, bool, int2, int4, int8, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'

const list = statement(
  { id: int8, Description: text, phase: as<Phase>(int2), Limit: nullable(int4), holds: bool },
  `
  select id, name as "Description", phase, board_limit as "Limit", limit_holds as holds from state where organization_id = $1 and project_id = $2 order by position, id`,
)

export const getTicketStateList = implement(contract.getTicketStateList, async ({ db, scope }) => {
  const states = await run(db, list, [scope.organizationId, scope.projectId])
  return states.map(({ Limit, holds, ...state }) => ({
    ...state,
    ...(Limit !== null && { Limit }),
    ...(Limit !== null && holds && { LimitHolds: 1 as const }),
  }))
})
