import { counted } from '../../../counted.ts'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int4, int8, text } from '../../../db/shape.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Row } from '../ordered-rows.ts'

interface Use {
  tickets: number
  trashed: number
}

/** Refuses to delete the last state, a state that a template starts in, and, without a replacement, a state with tickets; says what prevents it. */
export function requireDeletable(
  toDelete: readonly Row[],
  remaining: number,
  templates: readonly { name: string; entryStateId: number }[],
  tickets: ReadonlyMap<number, Use>,
  hasReplacement: boolean,
) {
  if (remaining === 0) throw new Failure('in_use', 'A project keeps at least one state')
  if (templates.length > 0) {
    const stateNames = new Map(toDelete.map(({ id, name }) => [id, name]))
    const where = (stateId: number) => (toDelete.length === 1 ? 'this state' : `the state ${stateNames.get(stateId)}`)
    throw new Failure('in_use', templates.map(({ name, entryStateId }) => `Template ${name} starts in ${where(entryStateId)}`).join('; '))
  }
  if (hasReplacement) return
  const inUse = toDelete.flatMap(({ id, name }) => {
    const use = tickets.get(id)
    return use ? [`${countOf(use)} in the state ${name}`] : []
  })
  if (inUse.length > 0) throw new Failure('in_use', `${inUse.join('; ')}: choose a state to move to`)
}

function countOf({ tickets, trashed }: Use) {
  if (trashed === 0) return counted(tickets, 'ticket is', 'tickets are')
  if (trashed === tickets) return counted(tickets, 'ticket of the trash is', 'tickets of the trash are')
  return `${tickets} tickets (${trashed} in the trash) are`
}

/** Tickets per state, including those in the trash, which also prevent a deletion. Counters have the others. */
export async function ticketsInStates(db: Db, scope: ProjectScope, ids: readonly number[]) {
  const rows = await queryRows(db, { id: int8, tickets: int4, trashed: int4 })`
    select state_id as id, sum(tickets)::int as tickets, sum(trashed)::int as trashed from (
      select state_id, tickets, 0 as trashed from ticket_tally
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and state_id = any(${ids})
      union all
      select state_id, 1, 1 from ticket
      where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and state_id = any(${ids}) and trashed_at is not null
    ) counted group by state_id having sum(tickets) > 0`
  return new Map(rows.map(row => [row.id, row]))
}

/** Templates that start in one of the states, in their order. */
export async function templatesStartingIn(db: Db, scope: ProjectScope, ids: readonly number[]) {
  return queryRows(db, { id: int8, name: text, entryStateId: int8, archived: bool })`
    select id, name, entry_state_id as "entryStateId", archived_at is not null as archived from template
    where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and entry_state_id = any(${ids})
    order by position, id`
}
