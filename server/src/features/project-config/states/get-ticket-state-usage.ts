import * as contract from '@tessera/contract/projects/project-config'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { requireAll } from '../ordered-rows.ts'
import { templatesStartingIn, ticketsInStates } from './state-usage.ts'

export const getTicketStateUsage = implement(contract.getTicketStateUsage, async ({ db, scope, input }) => {
  const rows = await queryRows(db, { id: int8 })`
    select id from state
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and id = any(${input.ids})
    order by position, id`
  requireAll(rows, input.ids)
  const tickets = await ticketsInStates(db, scope, input.ids)
  const templates = (await templatesStartingIn(db, scope, input.ids)).filter(({ archived }) => !archived)
  return rows.map(({ id }) => ({
    id,
    Tickets: tickets.get(id)?.tickets ?? 0,
    Templates: templates.filter(({ entryStateId }) => entryStateId === id).map(({ name }) => name),
  }))
})
