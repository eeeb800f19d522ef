import * as contract from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int8, nullable, text } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges } from '../../../lib/changes.ts'
import { requireUnblocked } from '../../tickets/links/blocking/blockers.ts'
import { configurationChange } from '../configuration-change.ts'
import { type Deletion, partOfEach, restoreDeleted } from '../deletions.ts'
import { lockConfiguration, requireFreeNames } from '../ordered-rows.ts'
import { countMoves, movedColumns, type TicketMove } from './ticket-moves.ts'
import { incrementWorkflowVersion, parseTransitions, type Transition, workflowChange, workflowOf } from './workflow/transitions.ts'

export const restoreTicketStates = implementWith(contract.restoreTicketStates, { takesLong: true }, async ({ db, scope, input }) => {
  await lockConfiguration(db, scope)
  const { deletions, changes } = await restoreDeleted(db, scope, 'state', input.ids, deleted => insertStates(db, scope, deleted))
  const ids = deletions.map(({ id }) => id)
  // Joined by `concat`: `push` takes each as an argument, and a call may not have as many as there are tickets.
  let moves: TicketMove[] = []
  // The latest deletion first: it may have moved tickets that an earlier one had moved.
  const undoes = [...new Set(deletions.map(deletion => deletion.changeSetId))]
  for (const changeSetId of undoes) {
    changes.push(...(await restoreEntryStates(db, scope, changeSetId, ids)), ...(await restoreTransitions(db, scope, changeSetId, ids)))
    moves = moves.concat(await moveTicketsBack(db, scope, changeSetId, ids))
  }
  const inactive = await queryRows(db, { id: int8 })`
    select id from state where organization_id = ${scope.organizationId} and project_id = ${scope.projectId} and phase = 3`
  const isInactive = (stateId: number) => inactive.some(({ id }) => id === stateId)
  await requireUnblocked(
    db,
    scope,
    moves.filter(({ from, to }) => isInactive(to) && !isInactive(from)).map(({ id }) => id),
  )
  await recordChanges(db, scope, [...changes, ...(await countMoves(db, scope, moves))], {
    what: 'restore',
    projectId: scope.projectId,
    isMailedOnce: true,
    undoes,
  })
  return { Success: 1 as const, Tickets: new Set(moves.map(({ id }) => id)).size }
})

async function insertStates(db: Db, scope: ProjectScope, deletions: readonly Deletion[]) {
  const each = (part: string) => partOfEach(deletions, part)
  await requireFreeNames(
    db,
    scope,
    'state',
    deletions.map(({ parts }) => parts.Name ?? ''),
  )
  await sql`
    insert into state (organization_id, project_id, id, name, phase, position, board_limit, limit_holds)
    select ${scope.organizationId}::bigint, ${scope.projectId}::bigint, s.id, s.name, s.phase, s.position, s.board_limit, s.holds is not distinct from '1'
    from unnest(${deletions.map(({ id }) => id)}::bigint[], ${each('Name')}::text[], ${each('Phase')}::smallint[], ${each('Position')}::int[],
      ${each('Limit')}::int[], ${each('LimitHolds')}::text[]) as s (id, name, phase, position, board_limit, holds)`.execute(db)
}

/** Templates whose initial state the deletion changed, if they still have the replacement. */
async function restoreEntryStates(db: Db, scope: ProjectScope, changeSetId: number, ids: readonly number[]): Promise<Change[]> {
  const rows = await queryRows(db, { id: int8, from: text, to: text })`
    with given as materialized (
      select subject_id, before, after from change
      where organization_id = ${scope.organizationId} and change_set_id = ${changeSetId} and subject = 'template' and field = 'EntryState'
        and before = any(${ids.map(String)})
    )
    update template set entry_state_id = given.before::bigint from given
    where template.organization_id = ${scope.organizationId} and template.project_id = ${scope.projectId} and template.id = given.subject_id
      and template.entry_state_id = given.after::bigint
    returning template.id, given.after as "from", given.before as "to"`
  return rows.map(({ id, from, to }) => configurationChange(scope, 'template', id, 'EntryState', from, to))
}

/**
 * The transitions that the deletion removed, if both of their states exist. A workflow that somebody has emptied since allows every move and
 * stays empty.
 */
async function restoreTransitions(db: Db, scope: ProjectScope, changeSetId: number, ids: readonly number[]): Promise<Change[]> {
  const { organizationId, projectId } = scope
  const cuts = await queryRows(db, { before: text, after: text, restored: nullable(int8) })`
    select before, after, null::bigint as restored from change
    where organization_id = ${organizationId} and change_set_id = ${changeSetId} and subject = 'workflow' and field = 'Transitions'
    union all ${earlierCuts(scope, changeSetId)}`
  const lost = cuts.flatMap(({ before, after, restored }) => {
    const left = parseTransitions(after)
    const isBetween = ({ from, to }: Transition) => (from === restored && ids.includes(to)) || (to === restored && ids.includes(from))
    const isLost = (move: Transition) => !left.some(({ from, to }) => from === move.from && to === move.to)
    return parseTransitions(before).filter(move => (restored === null || isBetween(move)) && isLost(move))
  })
  if (lost.length === 0) return []
  const { Transitions: now } = await workflowOf(db, scope)
  if (now.length === 0 && (await isEmptiedBySomebody(db, scope))) return []
  const added = await queryRows(db, { from: int8, to: int8 })`
    insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    select ${organizationId}::bigint, ${projectId}::bigint, source.id, target.id
    from unnest(${lost.map(({ from }) => from)}::bigint[], ${lost.map(({ to }) => to)}::bigint[]) as lost (from_id, to_id)
    join state source on source.organization_id = ${organizationId} and source.project_id = ${projectId} and source.id = lost.from_id
    join state target on target.organization_id = ${organizationId} and target.project_id = ${projectId} and target.id = lost.to_id
    on conflict (organization_id, project_id, from_state_id, to_state_id) do nothing
    returning from_state_id as "from", to_state_id as "to"`
  if (added.length === 0) return []
  await incrementWorkflowVersion(db, scope)
  return [workflowChange(scope, now, [...now, ...added])]
}

/** Whether the workflow's last change was made by a person, not by a deletion of states or its undo. */
async function isEmptiedBySomebody(db: Db, { organizationId, projectId }: ProjectScope) {
  const rows = await queryRows(db, { changeSetId: int8 })`
    select change_set_id as "changeSetId" from change
    where organization_id = ${organizationId} and project_id = ${projectId} and subject = 'workflow' order by id desc limit 1`
  const { rows: states } = await sql`
    select 1 from change
    where organization_id = ${organizationId} and change_set_id = ${rows[0]?.changeSetId} and subject = 'state' limit 1`.execute(db)
  return states.length === 0
}

/**
 * What earlier deletions removed, with the state of each that was restored after the given deletion only: its moves from and to the states of
 * that one could not be restored with it.
 */
function earlierCuts({ organizationId, projectId }: ProjectScope, changeSetId: number) {
  return sql`
    select cut.before, cut.after, gone.id as restored from (
      select distinct on (subject_id) subject_id as id, change_set_id from change
      where organization_id = ${organizationId} and project_id = ${projectId} and subject = 'state' and after is null and change_set_id < ${changeSetId}
      order by subject_id, change_set_id desc
    ) gone
    join state on state.organization_id = ${organizationId} and state.project_id = ${projectId} and state.id = gone.id
    join change cut on cut.organization_id = ${organizationId} and cut.change_set_id = gone.change_set_id and cut.subject = 'workflow'
    where not exists (
      select 1 from change_set_summary undo
      join change back on back.organization_id = ${organizationId} and back.change_set_id = undo.id and back.subject = 'state' and back.subject_id = gone.id
      where undo.organization_id = ${organizationId} and undo.project_id = ${projectId} and undo.what = 'restore'
        and undo.id > gone.change_set_id and undo.id < ${changeSetId})`
}

/**
 * Tickets that the deletion moved and whose state nobody has changed since. Moves by other deletions and their undo do not count. A ticket
 * that the undo of an earlier deletion has moved back stays there.
 */
async function moveTicketsBack(db: Db, scope: ProjectScope, changeSetId: number, ids: readonly number[]): Promise<TicketMove[]> {
  const { organizationId, projectId } = scope
  const untouched = await queryRows(db, { id: int8, now: int8, before: int8 })`
    with moved as materialized (
      select id as change_id, ticket_id, before from change
      where organization_id = ${organizationId} and change_set_id = ${changeSetId} and subject = 'ticket' and field = 'State'
        and before = any(${ids.map(String)})
    ), later as materialized (
      select later.ticket_id, later.change_set_id, later.id, later.after, moved.change_id from moved
      join change later on later.organization_id = ${organizationId} and later.ticket_id = moved.ticket_id
        and later.field = 'State' and later.id > moved.change_id
    ), configured as materialized (
      select change_set_id from (select distinct change_set_id from later) one
      where exists (
        select 1 from change c
        where c.organization_id = ${organizationId} and c.change_set_id = one.change_set_id and c.subject = 'state')
    ), latest as (
      select distinct on (ticket_id) ticket_id, change_set_id, after, change_id from later order by ticket_id, id desc
    ), at_home as materialized (
      select latest.ticket_id from latest
      where exists (
        select 1 from change undone
        where undone.organization_id = ${organizationId} and undone.change_set_id = latest.change_set_id and undone.subject = 'state'
          and undone.before is null)
      and exists (
        select 1 from change earlier
        where earlier.organization_id = ${organizationId} and earlier.ticket_id = latest.ticket_id and earlier.field = 'State'
          and earlier.id < latest.change_id and earlier.before = latest.after
          and exists (
            select 1 from change deletion
            where deletion.organization_id = ${organizationId} and deletion.change_set_id = earlier.change_set_id
              and deletion.subject = 'state' and deletion.after is null))
    )
    select ticket.id, ticket.state_id as now, moved.before::bigint as before from moved
    join ticket on ticket.organization_id = ${organizationId} and ticket.project_id = ${projectId} and ticket.id = moved.ticket_id
    where moved.ticket_id not in (select ticket_id from later where change_set_id not in (select change_set_id from configured))
      and moved.ticket_id not in (select ticket_id from at_home)`
  // A state that a person has set in between stays.
  return queryRows(db, { id: int8, templateId: int8, parentId: nullable(int8), trashed: bool, from: int8, to: int8 })`
    update ticket set state_id = moved.before, version = version + 1, state_version = version + 1
    from unnest(${untouched.map(({ id }) => id)}::bigint[], ${untouched.map(({ now }) => now)}::bigint[],
      ${untouched.map(({ before }) => before)}::bigint[]) as moved (id, now, before)
    where ticket.organization_id = ${organizationId} and ticket.project_id = ${projectId} and ticket.id = moved.id
      and ticket.state_id = moved.now and moved.now <> moved.before
    returning ${movedColumns}, moved.now as "from", moved.before as "to"`
}
