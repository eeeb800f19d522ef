import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { Phase } from '@tessera/contract/scalars'
import * as contract from '@tessera/contract/tickets'
import { type Db, plannedAnew, run, statement } from '../../db/db.ts'
import type { ProjectScope } from '../../lib/authorize.ts'
import { notFound } from '../../lib/failure.ts'
import { implement } from '../../lib/implement.ts'
import { ancestors, type ListRow, listColumns, listJoins, ticketColumns } from './queries.ts'
import {
  type Group,
  idPattern,
  likeContaining,
  type Names,
  type Order,
  orderOf,
  type Position,
  rank,
  readCursor,
  sortKey,
  writeCursor,
} from './rules.ts'

// Three ways to a page:
// * roots or children by id: one statement along an index;
// * any order, and filters on what ticket_tally counts: the index ranges of the groups (template, state, level), in the order of their rank,
//   as many as the page needs; the tally says how many tickets each has;
// * any other filter: what matches is found, counted and sorted.

type Input = Request<typeof contract.queryTickets>
interface PageRow extends ListRow {
  template_id: number
  state_id: number
  Path?: { id: number; Title: string }[]
}
interface Page {
  rows: PageRow[]
  total: number
}

export const queryTickets = implement(contract.queryTickets, async ({ db, scope, input }) => {
  const order = orderOf(input.Sort)
  const after = readCursor(order, input.Cursor)
  const limit = input.Limit ?? limits.pageSize
  const filtered = isFiltered(input)
  const lookedUp = filtered || order.columns.length > 0 ? await lookUp(db, scope, input) : undefined
  const page = lookedUp
    ? await orderedPage(db, scope, input, { order, after, limit, filtered, ...lookedUp })
    : await levelPage(db, scope, input.idParent ?? null, order.id, after?.id, limit)

  const Tickets = page.rows.slice(0, limit)
  const last = page.rows.length > limit ? Tickets.at(-1) : undefined
  return {
    Tickets,
    NextCursor: last
      ? writeCursor(order, { key: lookedUp ? sortKey(order, lookedUp.names, last.template_id, last.state_id) : [], id: last.id })
      : null,
    Total: page.total,
  }
})

function isFiltered({ Id, Title, Types, Phases, States, Subordinates, Mine }: Input) {
  return Boolean(Id || Title || Types?.length || Phases?.length || States?.length || Subordinates?.length || Mine)
}

// ── Roots or children, by id ────────────────────────────────────────────────

const levelTotal = {
  roots: `select coalesce(sum(tickets), 0)::int as tickets from ticket_tally where organization_id = $1 and project_id = $2 and root`,
  children: `select coalesce(c.proposed + c.active + c.inactive, 0) as tickets from ticket parent
    left join ticket_subordinate c on c.organization_id = $1 and c.ticket_id = parent.id
    where parent.organization_id = $1 and parent.project_id = $2 and parent.id = $6`,
}
const levelStatements = Object.fromEntries(
  (['roots', 'children'] as const).map(level => [
    level,
    Object.fromEntries(
      (['asc', 'desc'] as const).map(direction => [
        direction,
        statement<{ total: number } & (PageRow | { id: null })>(`
          select total.tickets as total, page.* from (${levelTotal[level]}) total left join lateral (
            select ${listColumns}, t.template_id, t.state_id from (
              select ${ticketColumns} from ticket
              where organization_id = $1 and project_id = $2 and parent_id ${level === 'roots' ? 'is null' : '= $6'} and trashed_at is null
                and id ${direction === 'asc' ? '>' : '<'} $4 order by id ${direction} limit $5
            ) t ${listJoins}
          ) page on true order by page.id ${direction}`),
      ]),
    ),
  ]),
) as Record<'roots' | 'children', Record<Order['id'], ReturnType<typeof statement<{ total: number } & (PageRow | { id: null })>>>>

async function levelPage(
  db: Db,
  { organizationId, projectId, userId }: ProjectScope,
  parentId: number | null,
  direction: Order['id'],
  after: number | undefined,
  limit: number,
): Promise<Page> {
  const from = after ?? (direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER)
  const rows = await run(db, levelStatements[parentId === null ? 'roots' : 'children'][direction], [
    organizationId,
    projectId,
    userId,
    from,
    limit + 1,
    ...(parentId === null ? [] : [parentId]),
  ])
  const [first] = rows
  if (!first) throw notFound()
  return { rows: first.id === null ? [] : (rows as PageRow[]), total: first.total }
}

// ── What filters and orders refer to ────────────────────────────────────────

interface LookedUp {
  shortCode: string
  names: Names
  groups: Group[]
}

const lookUpStatement = statement<{
  short_code: string
  parent: boolean
  templates: [number, string][]
  states: [number, string, Phase][]
  groups: [number, number, boolean, number][]
}>(`
  select p.short_code,
    $3::bigint is null or exists (select 1 from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id = $3) as parent,
    coalesce((select json_agg(json_build_array(id, name)) from template where organization_id = $1 and project_id = $2), '[]') as templates,
    coalesce((select json_agg(json_build_array(id, name, phase)) from state where organization_id = $1 and project_id = $2), '[]') as states,
    coalesce((select json_agg(json_build_array(template_id, state_id, root, tickets)) from (
      select template_id, state_id, root, sum(tickets) as tickets from ticket_tally where organization_id = $1 and project_id = $2
      group by template_id, state_id, root having sum(tickets) > 0) g), '[]') as groups
  from project p where p.organization_id = $1 and p.id = $2`)

/** 404 for a parent, template or state that the project does not have. */
async function lookUp(db: Db, { organizationId, projectId }: ProjectScope, input: Input): Promise<LookedUp> {
  const [row] = await run(db, lookUpStatement, [organizationId, projectId, input.idParent ?? null])
  if (!row?.parent) throw notFound()
  const names: Names = { templates: new Map(row.templates), states: new Map(row.states.map(([id, name, phase]) => [id, { name, phase }])) }
  if (!input.Types?.every(id => names.templates.has(id)) && input.Types) throw notFound()
  if (!input.States?.every(id => names.states.has(id)) && input.States) throw notFound()
  return {
    shortCode: row.short_code,
    names,
    groups: row.groups.map(([templateId, stateId, root, tickets]) => ({ templateId, stateId, root, tickets })),
  }
}

interface Query extends LookedUp {
  order: Order
  after: Position | undefined
  limit: number
  filtered: boolean
}

async function orderedPage(db: Db, scope: ProjectScope, input: Input, query: Query): Promise<Page> {
  const id = input.Id ? idPattern(query.shortCode, input.Id) : 'every'
  if (id === 'none') return { rows: [], total: 0 }
  const isCounted = input.idParent == null && id === 'every' && !input.Title && !input.Subordinates?.length && !input.Mine
  if (!isCounted) return foundPage(db, scope, input, id === 'every' ? undefined : id.like, query)
  const [templates, states] = [templatesOf(input), statesOf(input, query.names)]
  const groups = query.groups.filter(
    group => (query.filtered || group.root) && (templates?.includes(group.templateId) ?? true) && (states?.includes(group.stateId) ?? true),
  )
  const byTemplate = templates !== undefined || query.order.columns.some(({ Column }) => Column === 'Type')
  return groupedPage(db, scope, { ...query, groups }, byTemplate)
}

function templatesOf({ Types }: Input) {
  return Types?.length ? Types : undefined
}

/** The states that both filters allow; undefined without such a filter. */
function statesOf({ States, Phases }: Input, names: Names) {
  if (!States?.length && !Phases?.length) return undefined
  return [...names.states]
    .filter(([id, { phase }]) => (!States?.length || States.includes(id)) && (!Phases?.length || Phases.includes(phase)))
    .map(([id]) => id)
}

// ── Group after group ───────────────────────────────────────────────────────

/** The page `picked (id, parent_id, rank)` as list rows in order; with the ancestors of each when the list is filtered. */
function shown(direction: Order['id'], withPath: boolean) {
  const path = `left join (select ticket_id, json_agg(json_build_object('id', up.id, 'Title', up.title) order by up.depth desc) as path
      from up group by ticket_id) path on path.ticket_id = t.id`
  return `select ${listColumns}, t.template_id, t.state_id${withPath ? `, coalesce(path.path, '[]') as "Path"` : ''}
    from page t ${listJoins} ${withPath ? path : ''} order by t.rank, t.id ${direction}`
}

const groupedStatements = new Map(
  [true, false].flatMap(byTemplate =>
    [true, false].flatMap(withPath =>
      (['asc', 'desc'] as const).map(
        direction =>
          [
            `${byTemplate},${withPath},${direction}`,
            statement<PageRow>(`
          with recursive page as materialized (
            select t.*, g.rank from unnest($4::bigint[], $5::bigint[], $6::bool[], $7::int[], $8::bigint[]) as g (template_id, state_id, root, rank, from_id)
            cross join lateral (
              select ${ticketColumns} from ticket t
              where t.organization_id = $1 and t.project_id = $2 and t.state_id = g.state_id and (t.parent_id is null) = g.root
                ${byTemplate ? 'and t.template_id = g.template_id' : ''} and t.trashed_at is null and t.id ${direction === 'asc' ? '>' : '<'} g.from_id
              order by t.id ${direction} limit $9
            ) t
            order by g.rank, t.id ${direction} limit $9
          ) ${withPath ? `, ${ancestors}` : ''} ${shown(direction, withPath)}`),
          ] as const,
      ),
    ),
  ),
)

async function groupedPage(db: Db, { organizationId, projectId, userId }: ProjectScope, query: Query, byTemplate: boolean): Promise<Page> {
  const { order, limit, filtered } = query
  const total = query.groups.reduce((sum, { tickets }) => sum + tickets, 0)
  const { groups, from } = rank(order, query.names, query.groups, query.after)
  const start = order.id === 'asc' ? 0 : Number.MAX_SAFE_INTEGER
  // From the rank where the page before ended, until the ranks that follow hold a page and one.
  const ranges = new Map<string, (typeof groups)[number]>()
  let following = 0
  let lastRank = Number.MAX_SAFE_INTEGER
  for (const group of groups) {
    if (group.rank < from.rank) continue
    if (group.rank > lastRank) break
    ranges.set(`${byTemplate ? group.templateId : ''},${group.stateId},${group.root}`, group)
    if (group.rank > from.rank) following += group.tickets
    if (following > limit) lastRank = group.rank
  }
  const needed = [...ranges.values()]
  const text = groupedStatements.get(`${byTemplate},${filtered},${order.id}`)
  if (!text || needed.length === 0) return { rows: [], total }
  const rows = await run(db, text, [
    organizationId,
    projectId,
    userId,
    needed.map(({ templateId }) => templateId),
    needed.map(({ stateId }) => stateId),
    needed.map(({ root }) => root),
    needed.map(group => group.rank),
    needed.map(group => (group.rank === from.rank ? from.id : start)),
    limit + 1,
  ])
  return { rows, total }
}

// ── Whatever else ───────────────────────────────────────────────────────────

const phaseColumn = { 1: 'proposed', 2: 'active', 3: 'inactive' } as const

/** What the filters leave of the project, of a ticket's children (without a filter) or of all below it, counted and sorted. */
async function foundPage(
  db: Db,
  { organizationId, projectId, userId }: ProjectScope,
  input: Input,
  idLike: string | undefined,
  { order, names, groups, after, limit, filtered }: Query,
): Promise<Page> {
  const parameters: unknown[] = [organizationId, projectId, userId]
  const bind = (value: unknown) => `$${parameters.push(value)}`
  const conditions = ['t.organization_id = $1', 't.project_id = $2', 't.trashed_at is null']
  const below = input.idParent != null && filtered
  const parent = input.idParent == null ? '' : bind(input.idParent)
  if (below) conditions.push('t.id in (select id from below)')
  else if (parent) conditions.push(`t.parent_id = ${parent}`)
  const [templates, states] = [templatesOf(input), statesOf(input, names)]
  if (templates) conditions.push(`t.template_id = any(${bind(templates)}::bigint[])`)
  if (states) conditions.push(`t.state_id = any(${bind(states)}::bigint[])`)
  if (idLike !== undefined) conditions.push(`t.id::text like ${bind(idLike)}`)
  if (input.Title) conditions.push(`t.title ilike ${bind(likeContaining(input.Title))}`)
  if (input.Mine) {
    conditions.push('t.id in (select a.ticket_id from assignment a where a.organization_id = $1 and a.project_id = $2 and a.user_id = $3)')
  }
  if (input.Subordinates?.length) {
    const some = input.Subordinates.map(phase => `c.${phaseColumn[phase]} > 0`).join(' or ')
    conditions.push(`exists (select 1 from ticket_subordinate c where c.organization_id = $1 and c.ticket_id = t.id and (${some}))`)
  }

  const pairs = new Map(groups.map(group => [`${group.templateId},${group.stateId}`, group]))
  const ranked = rank(order, names, [...pairs.values()], after)
  const byRank = order.columns.length > 0
  const ranks = ranked.groups
  const rankColumn = byRank ? 'coalesce(g.rank, 2147483647)' : '1'
  const rankJoin = byRank
    ? `left join unnest(${bind(ranks.map(({ templateId }) => templateId))}::bigint[], ${bind(ranks.map(({ stateId }) => stateId))}::bigint[],
        ${bind(ranks.map(group => group.rank))}::int[]) as g (template_id, state_id, rank) on g.template_id = found.template_id and g.state_id = found.state_id`
    : ''
  const { rank: fromRank, id: fromId } = ranked.from
  const rest =
    after === undefined
      ? ''
      : `where ${rankColumn} > ${bind(byRank ? fromRank : 1)} or ${rankColumn} = ${bind(byRank ? fromRank : 1)} and found.id ${order.id === 'asc' ? '>' : '<'} ${bind(byRank ? fromId : after.id)}`

  const rows = await run(
    db,
    plannedAnew<{ total: number } & (PageRow | { id: null })>(`
      with recursive ${
        below
          ? `below (id, depth) as (
        select id, 1 from ticket where organization_id = $1 and parent_id = ${parent} and trashed_at is null
        union all
        select t.id, below.depth + 1 from below join ticket t on t.organization_id = $1 and t.parent_id = below.id and t.trashed_at is null
        where below.depth < ${limits.depth}
      ), `
          : ''
      }found as materialized (
        select t.id, t.template_id, t.state_id from ticket t where ${conditions.join(' and ')}
      ), picked as materialized (
        select found.id, ${rankColumn} as rank from found ${rankJoin} ${rest} order by rank, found.id ${order.id} limit ${bind(limit + 1)}
      ), page as materialized (
        select ${ticketColumns.replaceAll(/\w+/g, 't.$&')}, picked.rank from picked join ticket t on t.organization_id = $1 and t.id = picked.id
      ) ${filtered ? `, ${ancestors}` : ''}
      select total.tickets as total, row.* from (select count(*)::int as tickets from found) total
      left join lateral (${shown(order.id, filtered)}) row on true`),
    parameters,
  )
  const [first] = rows
  return { rows: first && first.id !== null ? (rows as PageRow[]) : [], total: first?.total ?? 0 }
}
