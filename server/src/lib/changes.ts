import { type Db, queryRows, run, statement } from '../db/db.ts'
import { as, int8, text } from '../db/shape.ts'

/** One row of history. `subject` names the kind of thing, `field` what of it changed. */
export interface Change {
  subject:
    | 'ticket'
    | 'project'
    | 'state'
    | 'field'
    | 'template'
    | 'workflow'
    | 'role'
    | 'label'
    | 'view'
    | 'search'
    | 'project_member'
    | 'organization'
    | 'organization_member'
    | 'user'
  subjectId: number | null
  projectId?: number
  ticketId?: number
  field: string
  before: string | null
  after: string | null
  /** Its ticket has no mail about it: the same save is mailed for another ticket or for all its tickets, or concerns too many. */
  quiet?: true
}

/** What of a ticket changed: `data.key` is the value of a field. */
export type TicketPart =
  | 'Title'
  | 'Type'
  | 'State'
  | 'Parent'
  | 'Assignee'
  | 'Label'
  | 'Link'
  | 'Comment'
  | 'Attachment'
  | 'Trash'
  | 'Ticket'
  | `data.${string}`
/** The column of a statement about changes of tickets. */
export const ticketPart = as<TicketPart>(text)
export function isFieldPart(part: string): part is `data.${string}` {
  return part.startsWith('data.')
}

/** A change of one ticket. `describerOf` in `tickets/history/readable-changes.ts` has the words for each `field`. */
export function ticketChange(
  { projectId, ticketId }: { projectId: number; ticketId: number },
  field: TicketPart,
  before: string | null,
  after: string | null,
): Change {
  return { subject: 'ticket', subjectId: ticketId, projectId, ticketId, field, before, after }
}

/** One change for each part that differs. */
export function changesOf(
  of: Pick<Change, 'subject' | 'subjectId' | 'projectId'>,
  parts: Record<string, readonly [before: string | null, after: string | null]>,
): Change[] {
  return Object.entries(parts).flatMap(([field, [before, after]]) => (before === after ? [] : [{ ...of, field, before, after }]))
}

/** A change set that may have many tickets of a project. */
export interface ManyTickets {
  projectId: number
  /** Puts it into the project's list of changes. */
  what?: 'bulk' | 'restore' | 'revert'
  /** The change set to continue; without it a new one begins. */
  id?: number | null
  /** Each person gets one mail about all tickets; always so for a bulk change and its revert, whose last step makes the mail due. */
  isMailedOnce?: true
  /** Change sets that this one undoes. If it undoes all that they did to tickets, and none of them has been mailed, neither they nor it will be. */
  undoes?: readonly number[]
}

/**
 * Writes the history of one save, in its transaction, under one change_set_id, which it returns. Without changes it writes nothing. Ticket
 * changes also get a notice for mailing, or one for the whole set. The notice is locked until this transaction commits, so a mail never misses a
 * change that is being written.
 */
export async function recordChanges(
  db: Db,
  scope: { organizationId: number; userId: number | null },
  changes: Change[],
  many?: ManyTickets,
  changeSetId = many?.id ?? null,
): Promise<number | null> {
  if (changes.length === 0) return null
  const isBulk = many?.what === 'bulk' || many?.what === 'revert'
  const isMailedOnce = isBulk || many?.isMailedOnce === true
  const isUndoing = many?.undoes !== undefined && (await forgetUndone(db, scope.organizationId, many.undoes, changes))
  const columns = {
    subject: changes.map(change => change.subject),
    subjectId: changes.map(change => change.subjectId),
    projectId: changes.map(change => change.projectId ?? null),
    ticketId: changes.map(change => change.ticketId ?? null),
    field: changes.map(change => change.field),
    before: changes.map(change => change.before),
    after: changes.map(change => change.after),
    quiet: changes.map(change => change.quiet ?? many?.isMailedOnce ?? false),
    noticed: changes.flatMap(change => (change.ticketId === undefined || change.quiet || isMailedOnce ? [] : [change.ticketId])),
  }
  const rows = await queryRows(db, { change_set_id: int8 })`
    with change_set as (select coalesce(${changeSetId}::bigint, nextval('change_set_id')) as id),
    written as (
    insert into change (organization_id, change_set_id, user_id, subject, subject_id, project_id, ticket_id, field, before, after, quiet)
    select ${scope.organizationId}::bigint, change_set.id, ${scope.userId}::bigint, row.*
    from change_set, unnest(${columns.subject}::text[], ${columns.subjectId}::bigint[], ${columns.projectId}::bigint[], ${columns.ticketId}::bigint[],
      ${columns.field}::text[], ${columns.before}::text[], ${columns.after}::text[], ${columns.quiet}::boolean[]) as row
    returning change_set_id, id, ticket_id),
    listed as (
      insert into change_set_summary (organization_id, id, project_id, user_id, what, tickets)
      select ${scope.organizationId}::bigint, change_set.id, ${many?.projectId ?? null}::bigint, ${scope.userId}::bigint, ${many?.what ?? null}::text,
        (select count(distinct t.id) from unnest(${columns.ticketId}::bigint[], ${columns.projectId}::bigint[]) as t (id, project_id)
          where t.project_id = ${many?.projectId ?? null}::bigint)
      from change_set where ${many?.what !== undefined}::boolean
      on conflict (organization_id, id) do update set tickets = change_set_summary.tickets + excluded.tickets),
    noted_once as (
      insert into change_set_notice (organization_id, change_set_id, project_id, first_change_id, finished, changed_at)
      select ${scope.organizationId}::bigint, change_set_id, ${many?.projectId ?? null}::bigint, min(id), ${!isBulk}::boolean, now()
      from written where ${isMailedOnce && !isUndoing}::boolean and ticket_id is not null group by change_set_id
      on conflict (organization_id, change_set_id) do update set changed_at = excluded.changed_at, finished = false),
    noted as (
      insert into ticket_notice (organization_id, ticket_id, first_change_id)
      select ${scope.organizationId}::bigint, ticket_id, min(id) from written where ticket_id = any(${columns.noticed}::bigint[]) group by ticket_id order by ticket_id
      on conflict (organization_id, ticket_id) do update set first_change_id = least(ticket_notice.first_change_id, excluded.first_change_id))
    select change_set_id from written limit 1`
  return rows[0]?.change_set_id ?? null
}

const deleteUndone = statement(
  { id: int8 },
  `
  with undone as materialized (
    select change_set_id, ticket_id, field, before, after from change
    where organization_id = $1 and change_set_id = any($2::bigint[]) and ticket_id is not null
  ), unsent as materialized (
    select change_set_id from change_set_notice where organization_id = $1 and change_set_id = any($2::bigint[]) for update skip locked
  )
  delete from change_set_notice
  where organization_id = $1 and change_set_id in (select change_set_id from unsent)
    and not exists (select from undone where change_set_id not in (select change_set_id from unsent))
    and (select count(*) from undone) = cardinality($3::bigint[])
    and not exists (
      select ticket_id, field, before, after from undone
      except all select * from unnest($3::bigint[], $4::text[], $5::text[], $6::text[]))
  returning change_set_id as id`,
)

/**
 * Deletes the notices of these change sets if they all wait, and the changes revert everything that the sets did to tickets; answers whether it did.
 * A notice that is locked is being mailed.
 */
async function forgetUndone(db: Db, organizationId: number, undoes: readonly number[], changes: readonly Change[]) {
  const ofTickets = changes.filter(({ ticketId }) => ticketId !== undefined)
  const columns = [
    ofTickets.map(({ ticketId }) => ticketId),
    ofTickets.map(({ field }) => field),
    ofTickets.map(({ after }) => after),
    ofTickets.map(({ before }) => before),
  ]
  const deleted = await run(db, deleteUndone, [organizationId, undoes, ...columns])
  return deleted.length > 0
}
