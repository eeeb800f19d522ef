import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { Phase } from '@tessera/contract/scalars'
import * as contract from '@tessera/contract/tickets'
import { type Db, run, statement, unpreparedStatement } from '../../db/db.ts'
import { bool, int4, json, nullable, type RowOf, text } from '../../db/shape.ts'
import { implementReading } from '../../http/implement.ts'
import { JsonText } from '../../http/json-text.ts'
import { type ProjectScope, reading } from '../../lib/authorize.ts'
import { notFound } from '../../lib/failure.ts'
import { ancestors, type ListedTickets, listAnswer, listRow, listText, pageColumns, readTickets } from './queries.ts'
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
//   as many as the page needs; the tally has the number of tickets in each;
// * any other filter: matching tickets are searched, counted and sorted.

type Input = Request<typeof contract.queryTickets>
const pageRow = { total: int4, ...listRow }
const pathRow = { paths: nullable(json<[ticketId: number, path: { id: number; Title: string }[]][]>()) }
type Page = RowOf<typeof pageRow> & Partial<RowOf<typeof pathRow>>
const nothing: Page = {
  total: 0,
  pcode: '',
  templates: null,
  states: null,
  tickets: null,
  counts: null,
  mine: null,
  labels: null,
  blocked: null,
}

export const queryTickets = implementReading(
  contract.queryTickets,
  input => (isLevel(input) ? levelPage(input, orderOf(input.Sort)) : undefined),
  async ({ db, scope, input, prepared: level }) => {
    const order = orderOf(input.Sort)
    const limit = input.Limit ?? limits.pageSize
    const lookedUp = isLevel(input) ? undefined : await lookUp(db, scope, input)
    const page: Page | undefined = lookedUp ? await orderedPage(db, scope, input, { order, limit, ...lookedUp }) : level
    // Without a total, the project does not have this parent.
    if (page?.total == null) throw notFound()

    let pathOf: ((id: number) => string) | undefined
    if (isFiltered(input)) {
      const paths = new Map(page.paths)
      pathOf = id => `,"Path":${JSON.stringify(paths.get(id) ?? [])}`
    }
    const tickets = readTickets(page)
    const next = JSON.stringify(cursorAfter(tickets, limit, order, lookedUp?.names))
    return new JsonText(`{"Tickets":${listText(page, tickets, limit, pathOf)},"NextCursor":${next},"Total":${page.total}}`)
  },
  { mayUseReplica: true },
)

/** Where the next page begins; null after the last. */
function cursorAfter({ ids, templateIds, stateIds }: ListedTickets, limit: number, order: Order, names: Names | undefined) {
  if (ids.length <= limit) return null
  const last = limit - 1
  const key = names ? sortKey(order, names, templateIds[last] as number, stateIds[last] as number) : []
  return writeCursor(order, { key, id: ids[last] as number })
}

function isFiltered({ Id, Title, Types, Phases, States, Subordinates, Labels, Mine }: Input) {
  return Boolean(Id || Title || Types?.length || Phases?.length || States?.length || Subordinates?.length || Labels?.length || Mine)
}

/** Roots or children by id. */
function isLevel(input: Input) {
  return !isFiltered(input) && orderOf(input.Sort).columns.length === 0
}

/**
 * One row more than the page, to see whether another follows. Common sizes are constants in the text: with a parameter as LIMIT, PostgreSQL
 * would plan each execution again, which takes longer than the page.
 */
function limitOf(size: number, parameter: string): { text: string; parameters: number[] } {
  const isUsual = size === limits.pageSize || size === limits.pageSizeMax
  return isUsual ? { text: String(size + 1), parameters: [] } : { text: parameter, parameters: [size + 1] }
}

/** Memoizes `make` by these keys. */
function once<Keys extends (string | number | boolean)[], T>(make: (...keys: Keys) => T) {
  const made = new Map<string, T>()
  return (...keys: Keys): T => {
    const key = keys.join()
    const known = made.get(key) ?? make(...keys)
    made.set(key, known)
    return known
  }
}

// ── Roots or children, by id ────────────────────────────────────────────────

const levelStatement = once((level: 'roots' | 'children', direction: Order['id'], limit: string) => {
  const total =
    level === 'roots'
      ? 'select coalesce(sum(c.tickets), 0)::int from root_tally c where c.organization_id = $1 and c.project_id = $5'
      : `select coalesce(c.proposed + c.active + c.inactive, 0) from ticket parent
        left join ticket_subordinate c on c.organization_id = $1 and c.ticket_id = parent.id
        where parent.organization_id = $1 and parent.project_id = $5 and parent.id = $7`
  return reading(
    'project',
    pageRow,
    `with page as materialized (
      select ${pageColumns} from ticket
      where organization_id = $1 and project_id = $5 and parent_id ${level === 'roots' ? 'is null' : '= $7'} and trashed_at is null
        and id ${direction === 'asc' ? '>' : '<'} $6 order by id ${direction} limit ${limit}
    ) select (${total}) as total, ${listAnswer('$5', 'scope.user_id', `id ${direction}`)}`,
  )
})

function levelPage({ idParent, Cursor, Limit = limits.pageSize }: Input, order: Order) {
  const from = readCursor(order, Cursor)?.id ?? (order.id === 'asc' ? 0 : Number.MAX_SAFE_INTEGER)
  const [level, parent] = idParent == null ? (['roots', []] as const) : (['children', [idParent]] as const)
  const { text, parameters } = limitOf(Limit, `$${7 + parent.length}`)
  return { statement: levelStatement(level, order.id, text), parameters: [from, ...parent, ...parameters] }
}

// ── What filters and orders refer to ────────────────────────────────────────

interface LookedUp {
  shortCode: string
  names: Names
  groups: Group[]
}

const lookUpRow = {
  short_code: text,
  parent: bool,
  templates: json<[number, string][]>(),
  states: json<[id: number, position: number, phase: Phase][]>(),
  groups: json<[number, number, boolean, number][]>(),
}
const lookUpStatement = statement(
  lookUpRow,
  `
  select p.short_code,
    $3::bigint is null or exists (select 1 from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id = $3) as parent,
    coalesce((select json_agg(json_build_array(id, name)) from template where organization_id = $1 and project_id = $2), '[]') as templates,
    coalesce((select json_agg(json_build_array(id, position, phase)) from state where organization_id = $1 and project_id = $2), '[]') as states,
    coalesce((select json_agg(json_build_array(template_id, state_id, root, tickets)) from (
      select template_id, state_id, root, sum(tickets) as tickets from ticket_tally where organization_id = $1 and project_id = $2
      group by template_id, state_id, root having sum(tickets) > 0) g), '[]') as groups
  from project p where p.organization_id = $1 and p.id = $2`,
)

/** 404 for a parent, template or state that the project does not have. */
async function lookUp(db: Db, { organizationId, projectId }: ProjectScope, input: Input): Promise<LookedUp> {
  const [row] = await run(db, lookUpStatement, [organizationId, projectId, input.idParent ?? null])
  if (!row?.parent) throw notFound()
  const names: Names = {
    templates: new Map(row.templates),
    states: new Map(row.states.map(([id, position, phase]) => [id, { position, phase }])),
  }
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
  limit: number
}

async function orderedPage(db: Db, scope: ProjectScope, input: Input, query: Query): Promise<Page> {
  const id = input.Id ? idPattern(query.shortCode, input.Id) : 'every'
  if (id === 'none') return nothing
  const isCounted =
    input.idParent == null && id === 'every' && !input.Title && !input.Subordinates?.length && !input.Labels?.length && !input.Mine
  if (!isCounted) return foundPage(db, scope, input, id === 'every' ? undefined : id.like, query)
  const filtered = isFiltered(input)
  const [templates, states] = [templatesOf(input), statesOf(input, query.names)]
  const groups = query.groups.filter(
    group => (filtered || group.root) && (templates?.includes(group.templateId) ?? true) && (states?.includes(group.stateId) ?? true),
  )
  const byTemplate = templates !== undefined || query.order.columns.some(({ Column }) => Column === 'Type')
  return groupedPage(db, scope, { ...query, groups, filtered, byTemplate }, readCursor(query.order, input.Cursor))
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

/** What follows the CTE `page (…, rank)` of a recursive WITH: its answer, with the ancestors of each ticket when the list is filtered. */
function answerOf(direction: Order['id'], filtered: boolean, total: string) {
  const answer = `select ${total} as total, ${listAnswer('$2', '$3', `rank, id ${direction}`)}`
  if (!filtered) return answer
  return `, ${ancestors} ${answer}, (
    select json_agg(json_build_array(path.ticket_id, path.path)) from (
      select up.ticket_id, json_agg(json_build_object('id', up.id, 'Title', up.title) order by up.depth desc) as path from up group by up.ticket_id
    ) path) as paths`
}

const groupedStatement = once((byTemplate: boolean, filtered: boolean, direction: Order['id']) =>
  statement(
    filtered ? { ...pageRow, ...pathRow } : pageRow,
    `
    with recursive page as materialized (
      select t.*, g.rank from unnest($4::bigint[], $5::bigint[], $6::bool[], $7::int[], $8::bigint[]) as g (template_id, state_id, root, rank, from_id)
      cross join lateral (
        select ${pageColumns} from ticket t
        where t.organization_id = $1 and t.project_id = $2 and t.state_id = g.state_id and (t.parent_id is null) = g.root
          ${byTemplate ? 'and t.template_id = g.template_id' : ''} and t.trashed_at is null and t.id ${direction === 'asc' ? '>' : '<'} g.from_id
        order by t.id ${direction} limit $9
      ) t
      order by g.rank, t.id ${direction} limit $9
    ) ${answerOf(direction, filtered, '$10::int')}`,
  ),
)

async function groupedPage(
  db: Db,
  { organizationId, projectId, userId }: ProjectScope,
  { order, limit, names, groups, filtered, byTemplate }: Query & { filtered: boolean; byTemplate: boolean },
  after: Position | undefined,
): Promise<Page> {
  const total = groups.reduce((sum, { tickets }) => sum + tickets, 0)
  const ranked = rank(order, names, groups, after)
  const { from } = ranked
  // From the rank where the previous page ended, up to the ranks that hold a page plus one ticket.
  let following = 0
  let lastRank = Number.MAX_SAFE_INTEGER
  const needed = ranked.groups.filter(group => {
    if (group.rank < from.rank || group.rank > lastRank) return false
    if (group.rank > from.rank) following += group.tickets
    if (following > limit) lastRank = group.rank
    return true
  })
  const read = async (chosen: typeof needed): Promise<Page> => {
    const ranges = [
      ...new Map(chosen.map(group => [`${byTemplate ? group.templateId : ''},${group.stateId},${group.root}`, group])).values(),
    ]
    if (ranges.length === 0) return { ...nothing, total }
    const start = order.id === 'asc' ? 0 : Number.MAX_SAFE_INTEGER
    const [page = nothing]: Page[] = await run(db, groupedStatement(byTemplate, filtered, order.id), [
      organizationId,
      projectId,
      userId,
      ranges.map(({ templateId }) => templateId),
      ranges.map(({ stateId }) => stateId),
      ranges.map(({ root }) => root),
      ranges.map(group => group.rank),
      ranges.map(group => (group.rank === from.rank ? from.id : start)),
      limit + 1,
      total,
    ])
    return page
  }
  const page = await read(needed)
  // Tickets may have left these groups since they were counted: a page that is not full is not the last one while there are more groups.
  const isCut = ranked.groups.some(group => group.rank > lastRank)
  return isCut && readTickets(page).ids.length <= limit ? read(ranked.groups.filter(group => group.rank >= from.rank)) : page
}

// ── Whatever else ───────────────────────────────────────────────────────────

const phaseColumn = { 1: 'proposed', 2: 'active', 3: 'inactive' } as const

/** The matching tickets of the project, or of a ticket's subtree (its children without a filter), counted and sorted. */
async function foundPage(
  db: Db,
  { organizationId, projectId, userId }: ProjectScope,
  input: Input,
  idLike: string | undefined,
  { order, names, groups, limit }: Query,
): Promise<Page> {
  const filtered = isFiltered(input)
  const after = readCursor(order, input.Cursor)
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
  if (input.Labels?.length) {
    conditions.push(
      `t.id in (select tl.ticket_id from ticket_label tl where tl.organization_id = $1 and tl.label_id = any(${bind(input.Labels)}::bigint[]))`,
    )
  }
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
  // A ticket without a rank entered its group after the groups were read: this page treats it as not yet read.
  const rankColumn = byRank ? 'g.rank' : '1'
  const rankJoin = byRank
    ? `join unnest(${bind(ranks.map(({ templateId }) => templateId))}::bigint[], ${bind(ranks.map(({ stateId }) => stateId))}::bigint[],
        ${bind(ranks.map(group => group.rank))}::int[]) as g (template_id, state_id, rank) on g.template_id = found.template_id and g.state_id = found.state_id`
    : ''
  const { rank: fromRank, id: fromId } = ranked.from
  const rest =
    after === undefined
      ? ''
      : `where ${rankColumn} > ${bind(byRank ? fromRank : 1)} or ${rankColumn} = ${bind(byRank ? fromRank : 1)} and found.id ${order.id === 'asc' ? '>' : '<'} ${bind(byRank ? fromId : after.id)}`

  const [page = nothing]: Page[] = await run(
    db,
    unpreparedStatement(
      filtered ? { ...pageRow, ...pathRow } : pageRow,
      `
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
        select ${pageColumns.replaceAll(/\w+/g, 't.$&')}, picked.rank from picked join ticket t on t.organization_id = $1 and t.id = picked.id
      ) ${answerOf(order.id, filtered, '(select count(*)::int from found)')}`,
    ),
    parameters,
  )
  return page
}
