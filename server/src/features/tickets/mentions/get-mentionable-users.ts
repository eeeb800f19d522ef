import * as contract from '@tessera/contract/tickets/watchers'
import { run } from '../../../db/db.ts'
import { implement } from '../../../http/implement.ts'
import { mentionable } from './mentioned-people.ts'

export const getMentionableUsers = implement(contract.getMentionableUsers, ({ db, scope, input }) =>
  run(db, mentionable, [scope.organizationId, scope.projectId, input.Text.trim()]),
)
