import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/tickets/tickets'
import { type Db, run, statement } from '../../db/db.ts'
import { bool, int8, nullable } from '../../db/shape.ts'
import { implementWith } from '../../http/implement.ts'
import { type ProjectScope, requireOpen, requireStillOpen } from '../../lib/authorize.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import { inTransaction } from '../../lib/transaction.ts'
import { tallySlot } from './counting/count-tickets.ts'
import { makeTickets, planTickets } from './defaults/make-tickets.ts'
import { levelsBelow, requireFewTexts } from './defaults/planned-tickets.ts'
import { archivedType } from './saving/decide-changes.ts'
import { linesAbove } from './ticket-tree.ts'

// The ticket, its counters, its history and its notice in one statement, which without a parent is its own transaction.
// The state's row is locked (as the foreign key would do anyway) so that its phase cannot change before the parent is counted.
const entry = `entry as materialized (
    select tp.id as template_id, s.id as state_id, s.phase from template tp join state s on s.organization_id = $1 and s.id = tp.entry_state_id
    where tp.organization_id = $1 and tp.project_id = $2 and tp.id = $4 and tp.archived_at is null and tp.defaults is null
    for key share of s
  )`
/** The tally after the counter that the CTE `counted` wrote, then history and notice. */
const traces = `tallied as (
    insert into ticket_tally as c (organization_id, project_id, template_id, state_id, root, slot, tickets)
    select $1, $2, template_id, state_id, parent_id is null, ${tallySlot}, 1 from made where (select count(*) from counted) >= 0
    on conflict (organization_id, project_id, template_id, state_id, root, slot) do update set tickets = c.tickets + 1
  ), changed as (
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, after, user_id)
    select $1, nextval('change_set_id'), 'ticket', id, $2, id, 'Ticket', $5, $3 from made
    returning id, ticket_id
  ), noticed as (
    insert into ticket_notice (organization_id, ticket_id, first_change_id) select $1, ticket_id, id from changed
    on conflict (organization_id, ticket_id) do update set first_change_id = ticket_notice.first_change_id
  )
  select id from made`

const root = statement(
  { id: int8 },
  `
  with ${entry}, made as (
    insert into ticket (organization_id, project_id, template_id, state_id, title, created_by)
    select $1, $2, template_id, state_id, $5::text, $3::bigint from entry
    returning id, template_id, state_id, parent_id
  ), counted as (
    insert into root_tally as c (organization_id, project_id, slot, tickets) select $1, $2, ${tallySlot}, 1 from made
    on conflict (organization_id, project_id, slot) do update set tickets = c.tickets + 1
    returning 1
  ), ${traces}`,
)

// Citus accepts a recursive query in a writing statement only inside the part that needs it.
const child = statement(
  { id: int8 },
  `
  with ${entry}, parent as (
    select id from ticket where organization_id = $1 and project_id = $2 and id = $6 and trashed_at is null
  ), made as (
    insert into ticket (organization_id, project_id, template_id, state_id, parent_id, title, created_by)
    select $1, $2, entry.template_id, entry.state_id, parent.id, $5::text, $3::bigint from entry, parent
    where (
      with recursive up (id, parent_id, depth) as (
        select t.id, t.parent_id, 1 from ticket t where t.organization_id = $1 and t.id = $6
        union all
        select t.id, t.parent_id, up.depth + 1 from up join ticket t on t.organization_id = $1 and t.id = up.parent_id where up.depth <= ${limits.depth}
      )
      select count(*) from up
    ) <= ${limits.depth}
    returning id, template_id, state_id, parent_id
  ), counted as (
    insert into ticket_subordinate as c (organization_id, ticket_id, proposed, active, inactive)
    select $1, made.parent_id, (phase = 1)::int, (phase = 2)::int, (phase = 3)::int from made, entry
    on conflict (organization_id, ticket_id) do update set proposed = c.proposed + excluded.proposed,
      active = c.active + excluded.active, inactive = c.inactive + excluded.inactive
    returning 1
  ), ${traces}`,
)

type Input = Request<typeof contract.createNewTicket>

export const createNewTicket = implementWith(contract.createNewTicket, { opensNoTransaction: true }, async ({ db, scope, input }) => {
  requireOpen(scope)
  const { organizationId, projectId, userId } = scope
  const withDefaults = async () => [await inTransaction(db, transaction => createFromDefaults(transaction, scope, input))]
  if (input.Title === undefined || input.data) return withDefaults()
  const parameters = [organizationId, projectId, userId, input.idTemplate, input.Title]
  const atRoot = async () => (await run(db, root, parameters))[0] ?? explain(db, scope, input)
  // The reason is read while the parent is locked: later it might have been restored from the trash.
  const below = (idParent: number) =>
    inTransaction(db, async transaction => {
      await lockParent(transaction, scope, idParent)
      return (await run(transaction, child, [...parameters, idParent]))[0] ?? explain(transaction, scope, input)
    })
  // The second attempt sees the template's new initial state if the old one was deleted during the first.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const result = await (input.idParent === undefined ? atRoot() : below(input.idParent))
    if ('id' in result) return [result.id]
    if (result.reason) throw result.reason
    if (result.hasDefaults) return withDefaults()
  }
  throw new Failure('unavailable', 'Others are changing this project, try again in a moment')
})

/**
 * Keeps the parent from being trashed, because trash-ticket locks each ticket before it looks for children, and excludes moves, which write the
 * project's row before they read the depth of the tree. What is read afterwards stays valid. Refuses what was archived or revoked meanwhile.
 */
async function lockParent(db: Db, scope: ProjectScope, idParent: number) {
  await run(db, holdParent, [scope.organizationId, scope.projectId, idParent])
  await requireStillOpen(db, scope)
}
// Locks the ticket, then the project, in the same order as everywhere: the condition on the project needs the count first.
const holdParent = statement(
  { id: int8 },
  `
  with parent as materialized (select id from ticket where organization_id = $1 and project_id = $2 and id = $3 for share)
  select id from project where organization_id = $1 and id = $2 and (select count(*) from parent) >= 0 for share`,
)

/** The ticket with its template's values, labels and children, and with its own values, one change set. */
async function createFromDefaults(db: Db, scope: ProjectScope, input: Input) {
  const planned = await planTickets(db, scope, input)
  await (input.idParent === undefined ? requireStillOpen(db, scope) : lockParent(db, scope, input.idParent))
  const { reason } = await explain(db, scope, input, planned && levelsBelow(planned))
  if (reason) throw reason
  if (!planned) throw notFound()
  requireFewTexts(planned)
  return makeTickets(db, scope, planned, input.idParent ?? null)
}

const reasons = statement(
  { template: nullable(bool), defaults: nullable(bool), trashed: nullable(bool) },
  `
  select (select archived_at is not null from template where organization_id = $1 and project_id = $2 and id = $3) as template,
    (select defaults is not null from template where organization_id = $1 and project_id = $2 and id = $3) as defaults,
    (select trashed_at is not null from ticket where organization_id = $1 and project_id = $2 and id = $4) as trashed`,
)

/** Why the statements above created nothing: the template has defaults, or the ticket is refused. */
async function explain(db: Db, scope: ProjectScope, { idTemplate, idParent }: Input, below = 0) {
  const [row] = await run(db, reasons, [scope.organizationId, scope.projectId, idTemplate, idParent ?? null])
  return { hasDefaults: row?.defaults === true, reason: await reasonAgainst() }

  async function reasonAgainst() {
    if (row?.template == null || (idParent !== undefined && row.trashed === null)) return notFound()
    if (row.template) return new Failure('rule', archivedType)
    if (row.trashed) return new Failure('rule', 'The parent is in the trash and takes no new tickets')
    if (idParent === undefined || (await linesAbove(db, scope, [idParent])).length + below <= limits.depth) return undefined
    return new Failure('rule', `A ticket has at most ${limits.depth} tickets above it`)
  }
}
