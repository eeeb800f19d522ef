import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int2, int4, int8, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { changesOf, recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { requireUnblocked } from '../../tickets/links/blocking/blockers.ts'
import { rewriteQueries } from '../../views/renamed-words.ts'
import { lockConfiguration, requireFreeNames } from '../ordered-rows.ts'

export const setTicketState = implement(contract.setTicketState, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const { organizationId, projectId } = scope
  const { idState } = input
  // Every transaction that counts a ticket in or out of a state locks the state, so none does until this commits.
  const [state] = await queryRows(db, { name: text, phase: int2, limit: nullable(int4), holds: bool, blockersHold: bool })`
    select name, phase, board_limit as "limit", limit_holds as holds,
      (select blockers_hold from project where organization_id = ${organizationId} and id = ${projectId}) as "blockersHold" from state
    where organization_id = ${organizationId} and project_id = ${projectId} and id = ${idState} for update`
  if (!state) throw notFound()
  const name = input.State ?? state.name
  const phase = input.idPhase ?? state.phase
  const limit = input.Limit === undefined ? state.limit : input.Limit || null
  const holds = input.LimitHolds === undefined ? state.holds : input.LimitHolds === 1
  const changes = changesOf(
    { subject: 'state', subjectId: idState, projectId },
    {
      Name: [state.name, name],
      Phase: [String(state.phase), String(phase)],
      Limit: [String(state.limit ?? 0), String(limit ?? 0)],
      LimitHolds: [String(Number(state.holds)), String(Number(holds))],
    },
  )
  if (changes.length === 0) return { Success: 1 as const }

  if (name !== state.name) await requireFreeNames(db, scope, 'state', [name], idState)
  await sql`
    update state set name = ${name}, phase = ${phase}, board_limit = ${limit}::int, limit_holds = ${holds}
    where organization_id = ${organizationId} and id = ${idState}`.execute(db)
  if (phase !== state.phase) await recountAtParents(db, scope, idState, state.phase, phase)
  if (phase === 3 && state.phase !== 3 && state.blockersHold) await requireUnblocked(db, scope, await linkedTickets(db, scope, idState))
  if (name !== state.name) await rewriteQueries(db, organizationId, { kind: 'state', from: [{ projectId, name: state.name }], to: name })
  await recordChanges(db, scope, changes)
  return { Success: 1 as const }
})

/** Counts the state's tickets in another phase of their parents' children. */
async function recountAtParents(db: Db, { organizationId, projectId }: ProjectScope, stateId: number, from: number, to: number) {
  const delta = (phase: number) => sql`moved.tickets * ${Number(to === phase) - Number(from === phase)}::int`
  await sql`
    update ticket_subordinate s
    set proposed = s.proposed + ${delta(1)}, active = s.active + ${delta(2)}, inactive = s.inactive + ${delta(3)}
    from (
      select parent_id, count(*)::int as tickets from ticket
      where organization_id = ${organizationId} and project_id = ${projectId} and state_id = ${stateId}
        and parent_id is not null and trashed_at is null
      group by parent_id
    ) moved
    where s.organization_id = ${organizationId} and s.ticket_id = moved.parent_id`.execute(db)
}

/** The state's tickets that a link says are blocked; of all its tickets, which may be a million, few are. */
async function linkedTickets(db: Db, { organizationId, projectId }: ProjectScope, stateId: number) {
  const rows = await queryRows(db, { id: int8 })`
    select distinct t.id from ticket_link l
    join ticket t on t.organization_id = ${organizationId} and t.id = l.to_ticket_id
    where l.organization_id = ${organizationId} and l.kind = 'blocks' and t.project_id = ${projectId} and t.state_id = ${stateId}`
  return rows.map(({ id }) => id)
}
