import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../http/implement.ts'
import { setOrder } from '../ordered-rows.ts'

export const setTicketStateOrder = implement(contract.setTicketStateOrder, async ({ db, scope, input }) => {
  await setOrder(db, scope, 'state', input.SortOrder)
  return { Success: 1 as const }
})
