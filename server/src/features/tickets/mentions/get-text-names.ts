import { labelName } from '@tessera/contract/text/names-in-text'
import * as contract from '@tessera/contract/tickets/watchers'
import { run } from '../../../db/db.ts'
import { implement } from '../../../http/implement.ts'
import { visibleTickets } from '../links/queries.ts'
import { named, namedLabels, outsiders } from './mentioned-people.ts'

export const getTextNames = implement(contract.getTextNames, async ({ db, scope, input: { Tickets, Logins, Labels, Outsiders } }) => {
  const { organizationId, projectId } = scope
  const tickets = Tickets.length > 0 ? await visibleTickets(db, scope, Tickets) : []
  const People = Logins.length > 0 ? await run(db, named, [organizationId, projectId, Logins]) : []
  const labels = Labels?.length ? await run(db, namedLabels, [organizationId, projectId, Labels.map(labelName)]) : []
  const unseeing = Outsiders === 1 && Logins.length > 0 ? await run(db, outsiders, [organizationId, projectId, Logins]) : []
  return {
    Tickets: tickets.map(({ id, pcode, title }) => ({ id, pcode, Title: title })),
    People,
    ...(Labels && { Labels: labels }),
    ...(Outsiders === 1 && { Outsiders: unseeing }),
  }
})
