import { limits } from '@tessera/contract/limits'
import type { TicketLabel } from '@tessera/contract/projects/labels'
import type { Phase } from '@tessera/contract/scalars'
import { type Db, run, statement } from '../../db/db.ts'
import { int8, json, nothing, nullable, type RowOf, text } from '../../db/shape.ts'
import type { ProjectScope } from '../../lib/authorize.ts'
import { openBlocks } from './links/queries.ts'

/**
 * SQL: the state `st` of ticket `t`. "offset 0" keeps PostgreSQL from reading the states before the tickets: both have the same organization, so it may
 * pair each state with each ticket that a condition finds.
 */
export const joinState = `join (select id, phase, position, name from state where organization_id = $1 offset 0) st on st.id = t.state_id`

/** The name shown for the person in a table alias. */
export const personNameOf = (alias: string) => `coalesce(nullif(${alias}.full_name, ''), ${alias}.login)`
/** The same for the alias `u`. */
export const personName = personNameOf('u')

// ── Rows of a list ──────────────────────────────────────────────────────────

/** The columns of `ticket` that a CTE `page` needs for `listAnswer`. */
export const pageColumns = 'id, template_id, state_id, title, parent_id'

/** One row with all data of the tickets of `page`: arrays instead of joins, which takes server and database less than half the time. */
export const listRow = {
  pcode: text,
  templates: nullable(json<[id: number, name: string][]>()),
  states: nullable(json<[id: number, name: string, phase: Phase][]>()),
  /** In the order of the page; null when it is empty. Parsed by `readTickets`. */
  tickets: nullable(text),
  /** Only for tickets that have or had children. */
  counts: nullable(json<[ticketId: number, proposed: number, active: number, inactive: number][]>()),
  /** Those on which the caller holds a role. */
  mine: nullable(json<number[]>()),
  /** Each label of each ticket, in the order in which a row shows them. */
  labels: nullable(json<[ticketId: number, label: TicketLabel][]>()),
  /** Blocked tickets; an id may appear twice. */
  blocked: nullable(json<number[]>()),
}
export type ListAnswer = RowOf<typeof listRow>

/** One array per column. */
export interface ListedTickets {
  ids: number[]
  templateIds: number[]
  stateIds: number[]
  parentIds: (number | null)[]
  /** Each as a JSON string, with quotation marks. */
  titles: string[]
}

/** A separator that no JSON text contains. */
const separator = '\u001f'

/** The select list of a `ListAnswer` about the CTE `page` in the given order; $1 is the organization. */
export function listAnswer(project: string, user: string, order: string) {
  return `(select p.short_code from project p where p.organization_id = $1 and p.id = ${project}) as pcode,
    (select json_agg(json_build_array(tp.id, tp.name)) from template tp where tp.organization_id = $1 and tp.project_id = ${project}) as templates,
    (select json_agg(json_build_array(s.id, s.name, s.phase)) from state s where s.organization_id = $1 and s.project_id = ${project}) as states,
    (select json_build_array(json_agg(id), json_agg(template_id), json_agg(state_id), json_agg(parent_id)) || chr(31) || string_agg(to_json(title)::text, chr(31))
      from (select * from page order by ${order}) page) as tickets,
    (select json_agg(json_build_array(c.ticket_id, c.proposed, c.active, c.inactive)) from ticket_subordinate c
      where c.organization_id = $1 and c.ticket_id = any(array(select id from page))) as counts,
    (select json_agg(a.ticket_id) from assignment a
      where a.organization_id = $1 and a.user_id = ${user} and a.project_id = ${project} and a.ticket_id = any(array(select id from page))) as mine,
    (select json_agg(json_build_array(tl.ticket_id, json_build_object('idLabel', l.id, 'Label', l.name, 'Color', l.color)) order by lower(unaccent(l.name)), l.id)
      from ticket_label tl join label l on l.organization_id = $1 and l.id = tl.label_id
      where tl.organization_id = $1 and tl.ticket_id = any(array(select id from page))) as labels,
    (select json_agg(block.to_ticket_id) ${openBlocks} and block.to_ticket_id = any(array(select id from page))) as blocked`
}

/** Appended to the select list of an answer about the CTE `page`: which of its tickets are in the trash. $1 is the organization. */
export const trashedAnswer = `, (select json_agg(t.id) from ticket t
    where t.organization_id = $1 and t.id = any(array(select id from page)) and t.trashed_at is not null) as trashed`
export const trashedRow = { trashed: nullable(json<number[]>()) }

export function readTickets({ tickets }: ListAnswer): ListedTickets {
  if (tickets === null) return { ids: [], templateIds: [], stateIds: [], parentIds: [], titles: [] }
  const [numbers = '', ...titles] = tickets.split(separator)
  const [ids, templateIds, stateIds, parentIds] = JSON.parse(numbers)
  return { ids, templateIds, stateIds, parentIds, titles }
}

/** The JSON of the first `most` tickets as `TicketListItem`s; `more` adds members to each. Objects and a serializer would take three times as long. */
export function listText(
  { pcode, templates, states, counts, mine, labels, blocked }: ListAnswer,
  { ids, templateIds, stateIds, parentIds, titles }: ListedTickets,
  most = Number.POSITIVE_INFINITY,
  more: (id: number) => string = () => '',
) {
  if (ids.length === 0) return '[]'
  // Built from few, long pieces: each piece is an object for the garbage collector and a step in encoding.
  const typeText = (name: string) => `,"pcode":${JSON.stringify(pcode)},"Type":${JSON.stringify(name)}`
  const typeOf = new Map(templates?.map(([id, name]) => [id, typeText(name)]))
  const stateText = (name: string, phase: Phase) => `,"Phase":${phase},"State":${JSON.stringify(name)},"Title":`
  const stateOf = new Map(states?.map(([id, name, phase]) => [id, stateText(name, phase)]))
  const countOf = new Map(counts?.map(([id, proposed, active, inactive]) => [id, countText(proposed, active, inactive)]))
  const assigned = new Set(mine)
  const isBlocked = new Set(blocked)
  const labelsOf = Map.groupBy(labels ?? [], ([id]) => id)
  let text = ''
  for (let index = 0; index < ids.length && index < most; index++) {
    const id = ids[index] as number
    const type = typeOf.get(templateIds[index] as number) ?? typeText('')
    const state = stateOf.get(stateIds[index] as number) ?? stateText('', 1)
    const count = countOf.get(id)
    const carried = labelsOf.get(id)
    const end = assigned.has(id) ? `,"UserAssigned":1${count ?? noChildren}` : count === undefined ? plainEnd : `,"UserAssigned":0${count}`
    const marks = (carried === undefined ? noLabels : labelText(carried)) + (isBlocked.has(id) ? ',"Blocked":1' : ',"Blocked":0')
    text += `${index === 0 ? '[{"id":' : '},{"id":'}${id}${type}${state}${titles[index]}${end}${parentIds[index]}${marks}${more(id)}`
  }
  return `${text}}]`
}

function countText(proposed: number, active: number, inactive: number) {
  return `,"SubordinateProposedCount":${proposed},"SubordinateActiveCount":${active},"SubordinateInactiveCount":${inactive},"idParent":`
}
function labelText(labels: readonly [ticketId: number, label: TicketLabel][]) {
  return `,"Labels":${JSON.stringify(labels.map(([, label]) => label))}`
}
const noLabels = labelText([])
const noChildren = countText(0, 0, 0)
const plainEnd = `,"UserAssigned":0${noChildren}`

// ── Output states ───────────────────────────────────────────────────────────

/** SQL that is true when the workflow of the project lets a ticket go from one state to the other. $1 is the organization. */
export function mayMove(project: string, from: string, to: string) {
  return `(exists (select 1 from state_transition w where w.organization_id = $1 and w.project_id = ${project}
      and w.from_state_id = ${from} and w.to_state_id = ${to})
    or not exists (select 1 from state_transition w where w.organization_id = $1 and w.project_id = ${project}))`
}

const outputStatesStatement = statement(
  { id: int8, Description: text },
  `
  select s.id, s.name as "Description" from state s
  where s.organization_id = $1 and s.project_id = $2 and s.id <> $3 and ${mayMove('$2', '$3', 's.id')}
  order by s.position, s.id`,
)

/** The states a ticket of this project may go to from `stateId`. */
export function outputStates(db: Db, scope: ProjectScope, stateId: number) {
  return run(db, outputStatesStatement, [scope.organizationId, scope.projectId, stateId])
}

// ── Counters ────────────────────────────────────────────────────────────────

/** The slot of ticket_tally and root_tally for this connection, so that connections do not wait for each other. */
export const tallySlot = 'pg_backend_pid() % 32'

/** Where a ticket is counted: among its parent's children and in the project's tally. */
export interface Counted {
  templateId: number
  stateId: number
  parentId: number | null
}

const countStatement = statement(
  {},
  `
  with delta as materialized (
    select * from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::int[]) as d (template_id, state_id, parent_id, tickets)
  ), phase as materialized (
    select id, phase from state where organization_id = $1 and project_id = $2 and id = any($4::bigint[]) order by id for key share
  ), child as materialized (
    select d.parent_id, coalesce(sum(d.tickets) filter (where p.phase = 1), 0)::int as proposed,
      coalesce(sum(d.tickets) filter (where p.phase = 2), 0)::int as active, coalesce(sum(d.tickets) filter (where p.phase = 3), 0)::int as inactive
    from delta d join phase p on p.id = d.state_id where d.parent_id is not null group by d.parent_id
  ), fewer as (
    update ticket_subordinate c set proposed = c.proposed + child.proposed, active = c.active + child.active, inactive = c.inactive + child.inactive
    from child where c.organization_id = $1 and c.ticket_id = child.parent_id and least(child.proposed, child.active, child.inactive) < 0
    returning 1
  ), more as (
    insert into ticket_subordinate as c (organization_id, ticket_id, proposed, active, inactive)
    select $1, parent_id, proposed, active, inactive from child
    where least(proposed, active, inactive) >= 0 and (select count(*) from fewer) >= 0 order by parent_id
    on conflict (organization_id, ticket_id) do update set proposed = c.proposed + excluded.proposed,
      active = c.active + excluded.active, inactive = c.inactive + excluded.inactive
    returning 1
  ), rooted as (
    insert into root_tally as c (organization_id, project_id, slot, tickets)
    select $1, $2, ${tallySlot}, sum(tickets) from delta where parent_id is null and (select count(*) from more) >= 0 having sum(tickets) <> 0
    on conflict (organization_id, project_id, slot) do update set tickets = c.tickets + excluded.tickets
    returning 1
  )
  insert into ticket_tally as c (organization_id, project_id, template_id, state_id, root, slot, tickets)
  select $1, $2, template_id, state_id, parent_id is null, ${tallySlot}, sum(tickets) from delta
  where (select count(*) from rooted) >= 0
  group by template_id, state_id, parent_id is null having sum(tickets) <> 0 order by template_id, state_id, parent_id is null
  on conflict (organization_id, project_id, template_id, state_id, root, slot) do update set tickets = c.tickets + excluded.tickets`,
)

/**
 * Updates the counters of children and the project's tally for the ticket changes of the same transaction; `null` means not counted: not
 * created yet, purged, or in the trash. Lock order everywhere: tickets, the project's row, ticket_subordinate, root_tally, ticket_tally; call it once, last.
 * A bulk change must lock its tickets before it looks for their children: `create-new-ticket` locks the parent.
 */
export async function countTickets(
  db: Db,
  { organizationId, projectId }: ProjectScope,
  moves: readonly { before: Counted | null; after: Counted | null }[],
) {
  const deltas = new Map<string, Counted & { tickets: number }>()
  const add = (place: Counted | null, tickets: number) => {
    if (place === null) return
    const key = `${place.templateId},${place.stateId},${place.parentId}`
    const delta = deltas.get(key)
    if (delta) delta.tickets += tickets
    else deltas.set(key, { ...place, tickets })
  }
  for (const { before, after } of moves) {
    add(before, -1)
    add(after, 1)
  }
  const rows = [...deltas.values()].filter(({ tickets }) => tickets !== 0)
  if (rows.length === 0) return
  await run(db, countStatement, [
    organizationId,
    projectId,
    rows.map(({ templateId }) => templateId),
    rows.map(({ stateId }) => stateId),
    rows.map(({ parentId }) => parentId),
    rows.map(({ tickets }) => tickets),
  ])
}

// ── The tree ────────────────────────────────────────────────────────────────

const lockTreeStatement = statement({ locked: nothing }, `select pg_advisory_xact_lock(hashtextextended('tickets', $1::bigint)) as locked`)

/** Until the transaction ends, nobody else can move, trash, restore or purge tickets of the project. Take this lock before any row lock. */
export async function lockTree(db: Db, { projectId }: ProjectScope) {
  await run(db, lockTreeStatement, [projectId])
}

/** Locks a ticket and returns its current values. */
export const lockedRow = {
  id: int8,
  templateId: int8,
  stateId: int8,
  parentId: nullable(int8),
  title: text,
  trashRootId: nullable(int8),
}
export type LockedTicket = RowOf<typeof lockedRow>
export const heldColumns =
  'id, template_id as "templateId", state_id as "stateId", parent_id as "parentId", title, trash_root_id as "trashRootId"'
const holdStatement = statement(
  lockedRow,
  `select ${heldColumns} from ticket where organization_id = $1 and project_id = $2 and id = $3 for no key update`,
)
export async function holdTicket(db: Db, { organizationId, projectId }: ProjectScope, id: number) {
  return (await run(db, holdStatement, [organizationId, projectId, id]))[0]
}

const ancestorsOfStatement = statement(
  { id: int8 },
  `
  with recursive up (id, parent_id, depth) as (
    select t.id, t.parent_id, 0 from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id = $3
    union all
    select t.id, t.parent_id, up.depth + 1 from up join ticket t on t.organization_id = $1 and t.id = up.parent_id
    where up.depth <= ${limits.depth}
  )
  select id from up order by depth`,
)
/** The ticket and its ancestors, the nearest first. */
export async function lineOf(db: Db, { organizationId, projectId }: ProjectScope, id: number) {
  return (await run(db, ancestorsOfStatement, [organizationId, projectId, id])).map(row => row.id)
}

// ── Ancestors ───────────────────────────────────────────────────────────────

/** A recursive CTE `up (ticket_id, id, parent_id, title, depth)` of the ancestors of the tickets in the CTE `page`, the nearest first. */
export const ancestors = `up (ticket_id, id, parent_id, title, depth) as (
    select page.id, a.id, a.parent_id, a.title, 1 from page join ticket a on a.organization_id = $1 and a.id = page.parent_id
    union all
    select up.ticket_id, a.id, a.parent_id, a.title, up.depth + 1 from up join ticket a on a.organization_id = $1 and a.id = up.parent_id
    where up.depth < ${limits.depth}
  )`

// ── Fields ──────────────────────────────────────────────────────────────────

/**
 * The fields that ticket `t` shows, with their values: those of its template, and archived ones that hold a value.
 * Clearing a value stores '': its version is needed to detect conflicts.
 */
export function shownFields(organization: string, t: string) {
  return `(select f.id, f.key, f.label, f.type_id, f.options, f.position, coalesce(tf.position, 2147483647) as shown_at, v.value, v.version
    from field f
    left join template_field tf on tf.organization_id = ${organization} and tf.template_id = ${t}.template_id and tf.field_id = f.id
    left join ticket_value v on v.organization_id = ${organization} and v.ticket_id = ${t}.id and v.field_id = f.id
    where f.organization_id = ${organization} and f.project_id = ${t}.project_id
      and case when f.archived_at is null then tf.field_id is not null else v.value <> '' end)`
}
