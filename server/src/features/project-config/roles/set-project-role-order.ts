import * as contract from '@tessera/contract/projects/projects'
import { implement } from '../../../http/implement.ts'
import { setOrder } from '../ordered-rows.ts'

export const setProjectRoleOrder = implement(contract.setProjectRoleOrder, async ({ db, scope, input }) => {
  await setOrder(db, scope, 'role', input.SortOrder)
  return { Success: 1 as const }
})
