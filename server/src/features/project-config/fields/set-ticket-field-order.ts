import * as contract from '@tessera/contract/projects/project-config'
import { implement } from '../../../http/implement.ts'
import { setOrder } from '../ordered-rows.ts'

export const setTicketFieldOrder = implement(contract.setTicketFieldOrder, async ({ db, scope, input }) => {
  await setOrder(db, scope, 'field', input.SortOrder)
  return { Success: 1 as const }
})
