import type { Request } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/tickets'
import { type Db, run, statement } from '../../../db/db.ts'
import { bool, int4, int8, text } from '../../../db/shape.ts'
import { implementInOneStatement } from '../../../http/implement.ts'
import { type ProjectScope, reading, requireOpen, requirePermission, type TicketScope } from '../../../lib/authorize.ts'
import { Failure, notFound } from '../../../lib/failure.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { requireUnblocked } from '../links/queries.ts'
import { outputStates, personName, tallySlot } from '../queries.ts'
import { definition, readParameters, storedTicket } from './queries.ts'
import { type Changes, decide, problemOfLimit, type Stored, storedRow } from './rules.ts'

type Input = Request<typeof contract.setTicketData>

const readFirst = reading('ticket', storedRow, storedTicket('t.id = $5', 'scope.project_id', 6))
const readHeld = statement(
  { ...storedRow, archived: bool },
  `select stored.*, p.archived_at is not null as archived
  from (${storedTicket('t.id = $2', '$3', 4)}) stored join project p on p.organization_id = $1 and p.id = $3`,
)

// A state whose limit holds is locked before the ticket: moves into it take turns, so that each counts the others.
const hold = statement(
  { id: int8 },
  `
  with limited as materialized (
    select id from state where organization_id = $1 and project_id = $2 and id = $4::bigint and limit_holds for no key update
  )
  select id from ticket where organization_id = $1 and project_id = $2 and id = $3 and (select count(*) from limited) >= 0 for no key update`,
)

/**
 * Everything a save writes, in one statement that is its own transaction. It writes nothing if the ticket has changed since it was read: every save increments the version.
 * Nor if a field takes other values now, or if somebody who is to be taken off, or a label, has gone with their role, membership or label. The states' rows are locked (as the
 * foreign key would do anyway) so that their phases cannot change before the parent is counted. Lock order: states, ticket, ticket_subordinate, ticket_tally.
 */
const write = statement(
  { version: int4 },
  `
  with phase as materialized (
    select id, phase from state where organization_id = $1 and project_id = $3 and $9::bigint is not null and id in ($6::bigint, $9)
    order by id for key share
  ), fitting as materialized (
    select id from field where organization_id = $1 and id = any($10::bigint[])
      and ${definition('field')} = ($21::text[])[array_position($10::bigint[], id)] order by id for key share
  ), leaving as materialized (
    select user_id from assignment where organization_id = $1 and ticket_id = $2
      and array_positions($14::bigint[], user_id) && array_positions($15::bigint[], role_id) for update
  ), losing as materialized (
    select label_id from ticket_label where organization_id = $1 and ticket_id = $2 and label_id = any($20::bigint[]) for update
  ), saved as (
    update ticket set version = version + 1, title = coalesce($8::text, title), state_id = coalesce($9, state_id),
      title_version = case when $8::text is null then title_version else version + 1 end,
      state_version = case when $9 is null then state_version else version + 1 end
    where organization_id = $1 and project_id = $3 and id = $2 and version = $5 and state_id = $6 and parent_id is not distinct from $7::bigint
      and trashed_at is null and (select count(*) from phase) >= 0 and (select count(*) from fitting) = cardinality($10::bigint[])
      and (select count(*) from leaving) = cardinality($14::bigint[]) and (select count(*) from losing) = cardinality($20::bigint[])
    returning id, project_id, template_id, version
  ), valued as (
    insert into ticket_value (organization_id, ticket_id, field_id, value, version)
    select $1, saved.id, v.field_id, v.value, saved.version from saved, unnest($10::bigint[], $11::text[]) as v (field_id, value)
    on conflict (organization_id, ticket_id, field_id) do update set value = excluded.value, version = excluded.version
  ), assigned as (
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select $1, saved.project_id, saved.id, a.user_id, a.role_id from saved, unnest($12::bigint[], $13::bigint[]) as a (user_id, role_id)
    on conflict do nothing
  ), unassigned as (
    delete from assignment a using saved, unnest($14::bigint[], $15::bigint[]) as gone (user_id, role_id)
    where a.organization_id = $1 and a.ticket_id = saved.id and a.user_id = gone.user_id and a.role_id = gone.role_id
  ), labelled as (
    insert into ticket_label (organization_id, ticket_id, label_id)
    select $1, saved.id, l.id from saved, unnest($19::bigint[]) as l (id)
    on conflict do nothing
  ), unlabelled as (
    delete from ticket_label tl using saved
    where tl.organization_id = $1 and tl.ticket_id = saved.id and tl.label_id = any($20::bigint[])
  ), counted as (
    update ticket_subordinate c set
      proposed = c.proposed + (new.phase = 1)::int - (old.phase = 1)::int,
      active = c.active + (new.phase = 2)::int - (old.phase = 2)::int,
      inactive = c.inactive + (new.phase = 3)::int - (old.phase = 3)::int
    from saved, phase old, phase new
    where c.organization_id = $1 and c.ticket_id = $7 and old.id = $6 and new.id = $9 and old.phase <> new.phase
    returning 1
  ), tallied as (
    insert into ticket_tally as c (organization_id, project_id, template_id, state_id, root, slot, tickets)
    select $1, saved.project_id, saved.template_id, d.state_id, $7 is null, ${tallySlot}, d.tickets
    from saved, (values ($6, -1), ($9, 1)) as d (state_id, tickets)
    where $9 is not null and (select count(*) from counted) >= 0 order by d.state_id
    on conflict (organization_id, project_id, template_id, state_id, root, slot) do update set tickets = c.tickets + excluded.tickets
  ), change_set as (
    select nextval('change_set_id') as id
  ), changed as (
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, before, after, user_id)
    select $1, change_set.id, 'ticket', saved.id, saved.project_id, saved.id, c.field, c.before, c.after, $4
    from saved, change_set, unnest($16::text[], $17::text[], $18::text[]) as c (field, before, after)
    returning id
  ), noticed as (
    insert into ticket_notice (organization_id, ticket_id, first_change_id) select $1, $2, min(id) from changed having count(*) > 0
    on conflict (organization_id, ticket_id) do update set first_change_id = least(ticket_notice.first_change_id, excluded.first_change_id)
  )
  select version from saved`,
)

export const setTicketData = implementInOneStatement<typeof contract.setTicketData, Stored>(
  contract.setTicketData,
  async ({ db, scope, input, prepared: stored }) => {
    requireSaveRights(scope, input)
    requireOpen(scope)
    // A save that collides with another one starts over with the ticket locked, and so does one for which the state's tickets have to be counted.
    const saved = stored?.room ? undefined : await save(db, scope, input, stored)
    return saved ?? (await inTransaction(db, held => saveLocked(held, scope, input)))
  },
  input => ({ statement: readFirst, parameters: readParameters(input) }),
)

/** 422 unless the caller may change each part of the input. */
export function requireSaveRights(scope: ProjectScope, input: Omit<Input, 'idTicket'>) {
  if (input.Title !== undefined || input.data !== undefined || input.Labels !== undefined) requirePermission(scope, permission.editTickets)
  if (input.State !== undefined) requirePermission(scope, permission.changeState)
  if (input.TicketAssign !== undefined) requirePermission(scope, permission.assignPeople)
}

/** Saves as part of a transaction: the ticket is locked before it is read. */
export async function saveLocked(db: Db, scope: TicketScope, input: Input) {
  const { organizationId, projectId, ticketId } = scope
  await run(db, hold, [organizationId, projectId, ticketId, input.State ?? null])
  // What the save depends on beside the ticket may still change between the two statements.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [stored] = await run(db, readHeld, [organizationId, ticketId, projectId, ...readParameters(input)])
    const saved = await save(db, { ...scope, archived: stored?.archived ?? scope.archived }, input, stored)
    if (saved) return saved
  }
  throw new Failure('unavailable', 'The project is being changed, try again in a moment')
}

/** Decides and writes; undefined when somebody else saved since the ticket was read. */
async function save(db: Db, scope: TicketScope, input: Input, stored: Stored | undefined) {
  if (!stored || stored.version === null) throw notFound()
  const { organizationId, projectId, ticketId, userId } = scope
  requireOpen({ ...scope, trashed: stored.in_trash })
  const changes = decide(stored, input)
  await requireNoConflict(db, scope, stored, input, changes)
  if (stored.blocked && changes.stateId !== null) await requireUnblocked(db, scope, [ticketId])
  if (stored.room && changes.stateId !== null && stored.room.tickets >= stored.room.limit)
    throw new Failure('rule', problemOfLimit(stored.room))
  if (changes.history.length === 0) return { Success: 1 as const, Version: stored.version }

  const [saved] = await run(db, write, [
    organizationId,
    ticketId,
    projectId,
    userId,
    stored.version,
    stored.state_id,
    stored.parent_id,
    changes.title,
    changes.stateId,
    changes.values.map(({ id }) => id),
    changes.values.map(({ value }) => value),
    changes.added.map(([user]) => user),
    changes.added.map(([, role]) => role),
    changes.removed.map(([user]) => user),
    changes.removed.map(([, role]) => role),
    changes.history.map(({ field }) => field),
    changes.history.map(({ before }) => before),
    changes.history.map(({ after }) => after),
    changes.labelled,
    changes.unlabelled,
    changes.values.map(({ definition }) => definition),
  ])
  if (!saved) return undefined
  return {
    Success: 1 as const,
    Version: saved.version,
    ...(changes.stateId === null ? {} : { States: await outputStates(db, scope, changes.stateId) }),
  }
}

const lastChanges = statement(
  { field: text, by: text, at: int8 },
  `
  select distinct on (c.field) c.field, coalesce(${personName}, '') as by, floor(extract(epoch from c.changed_at))::bigint as at
  from change c left join user_account u on u.id = c.user_id
  where c.organization_id = $1 and c.ticket_id = $2 and c.field = any($3) order by c.field, c.id desc`,
)
const stateOf = statement({ State: text }, 'select name as "State" from state where organization_id = $1 and project_id = $2 and id = $3')

/** Answers 409 with the current ticket if a field was changed in between, or the state cannot be reached. */
async function requireNoConflict(db: Db, scope: TicketScope, stored: Stored, input: Input, { conflicts, stateId }: Changes) {
  const blocked = stateId !== null && stored.reachable === false
  if (conflicts.length === 0 && !blocked) return
  const { organizationId, projectId, ticketId } = scope
  const last = new Map(
    (await run(db, lastChanges, [organizationId, ticketId, conflicts.map(({ Field }) => Field)])).map(row => [row.field, row]),
  )
  const [state] = await run(db, stateOf, [organizationId, projectId, stored.state_id])
  throw new Failure(
    'conflict',
    conflicts.length > 0 ? 'Somebody else changed this meanwhile' : `This ticket cannot go from ${state?.State} to that state`,
    {
      current: {
        Conflicts: conflicts.map(conflict => ({
          ...conflict,
          ChangedBy: last.get(conflict.Field)?.by ?? '',
          ChangedAt: last.get(conflict.Field)?.at ?? 0,
        })),
        Version: stored.version,
        Title: stored.title,
        idState: stored.state_id,
        State: state?.State ?? '',
        data: Object.fromEntries(stored.fields.map(({ key, value }) => [key, value ?? ''])),
        ...(input.State === undefined ? {} : { States: await outputStates(db, scope, stored.state_id) }),
      },
    },
  )
}
