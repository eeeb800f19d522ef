import * as contract from '@tessera/contract/project-config'
import type { Phase } from '@tessera/contract/scalars'
import { run, statement } from '../../../db/db.ts'
import { implement } from '../../../lib/implement.ts'

const list = statement<{ id: number; Description: string; phase: Phase }>(`
  select id, name as "Description", phase from state where organization_id = $1 and project_id = $2 order by position, id`)

export const getTicketStateList = implement(contract.getTicketStateList, ({ db, scope }) =>
  run(db, list, [scope.organizationId, scope.projectId]),
)
