import * as contract from '@tessera/contract/project-config'
import { implement } from '../../../lib/implement.ts'
import { restoreArchived } from '../queries.ts'

export const restoreTicketFields = implement(contract.restoreTicketFields, ({ db, scope, input }) =>
  restoreArchived(db, scope, 'field', input.ids),
)
