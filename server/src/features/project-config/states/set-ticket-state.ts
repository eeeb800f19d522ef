import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { queryRows } from '../../../db/db.ts'
import { bool, int2, int4, int8, nullable, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { changesOf, recordChanges } from '../../../lib/changes.ts'
import { notFound } from '../../../lib/failure.ts'
import { requireUnblocked } from '../../tickets/links/blocking/blockers.ts'
import { rewriteQueries } from '../../views/renamed-words.ts'
import { lockConfiguration, requireFreeNames } from '../ordered-rows.ts'

export const setTicketState = implement(contract.setTicketState, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const { organizationId, projectId } = scope
  // Every transaction that counts a ticket in or out of a state locks the state, so none does until this commits.
  const rows = await queryRows(db, { name: text, phase: int2, limit: nullable(int4), holds: bool, blockersHold: bool })`
    select name, phase, board_limit as "limit", limit_holds as holds,
      (select blockers_hold from project where organization_id = ${organizationId} and id = ${projectId}) as "blockersHold" from state
    where organization_id = ${organizationId} and project_id = ${projectId} and id = ${input.idState} for update`
  const [state] = rows
  if (!state) throw notFound()
  const name = input.State ?? state.name
  const phase = input.idPhase ?? state.phase
  const limit = input.Limit === undefined ? state.limit : input.Limit || null
  const holds = input.LimitHolds === undefined ? state.holds : input.LimitHolds === 1
  if (name !== state.name) await requireFreeNames(db, scope, 'state', [name], input.idState)
  if (phase !== state.phase) {
    const delta = (counter: number) => sql`moved.tickets * ${Number(phase === counter) - Number(state.phase === counter)}::int`
    await sql`
      update ticket_subordinate s
      set proposed = s.proposed + ${delta(1)}, active = s.active + ${delta(2)}, inactive = s.inactive + ${delta(3)}
      from (
        select parent_id, count(*)::int as tickets from ticket
        where organization_id = ${organizationId} and project_id = ${projectId} and state_id = ${input.idState}
          and parent_id is not null and trashed_at is null
        group by parent_id
      ) moved
      where s.organization_id = ${organizationId} and s.ticket_id = moved.parent_id`.execute(db)
  }
  const changes = changesOf(
    { subject: 'state', subjectId: input.idState, projectId },
    {
      Name: [state.name, name],
      Phase: [String(state.phase), String(phase)],
      Limit: [String(state.limit ?? 0), String(limit ?? 0)],
      LimitHolds: [String(Number(state.holds)), String(Number(holds))],
    },
  )
  if (changes.length > 0) {
    await sql`
      update state set name = ${name}, phase = ${phase}, board_limit = ${limit}::int, limit_holds = ${holds}
      where organization_id = ${organizationId} and id = ${input.idState}`.execute(db)
    if (phase === 3 && state.phase !== 3 && state.blockersHold) {
      // Not all of the state's tickets, which may be a million.
      const linked = await queryRows(db, { id: int8 })`
        select distinct t.id from ticket_link l
        join ticket t on t.organization_id = ${organizationId} and t.id = l.to_ticket_id
        where l.organization_id = ${organizationId} and l.kind = 'blocks' and t.project_id = ${projectId} and t.state_id = ${input.idState}`
      await requireUnblocked(
        db,
        scope,
        linked.map(({ id }) => id),
      )
    }
    if (name !== state.name) await rewriteQueries(db, organizationId, { kind: 'state', from: [{ projectId, name: state.name }], to: name })
    await recordChanges(db, scope, changes)
  }
  return { Success: 1 as const }
})
