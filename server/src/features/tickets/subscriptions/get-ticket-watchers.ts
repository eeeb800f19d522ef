import * as contract from '@tessera/contract/tickets/watchers'
import { run } from '../../../db/db.ts'
import { implement } from '../../../http/implement.ts'
import { watchers } from './watchers.ts'

export const getTicketWatchers = implement(contract.getTicketWatchers, ({ db, scope }) =>
  run(db, watchers, [scope.organizationId, scope.ticketId, scope.projectId]),
)
