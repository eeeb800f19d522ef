import * as contract from '@tessera/contract/project-config'
import { implement } from '../../../lib/implement.ts'
import { restoreArchived } from '../queries.ts'

export const restoreTicketTemplates = implement(contract.restoreTicketTemplates, ({ db, scope, input }) =>
  restoreArchived(db, scope, 'template', input.ids),
)
