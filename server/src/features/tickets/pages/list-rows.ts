import type { TicketLabel } from '@tessera/contract/projects/labels'
import type { Phase } from '@tessera/contract/scalars'
import { json, nullable, type RowOf, text } from '../../../db/shape.ts'
import { openBlocks } from '../links/blocking/blockers.ts'

/**
 * SQL: the state `st` of ticket `t`. "offset 0" keeps PostgreSQL from reading the states before the tickets: both have the same organization, so it may
 * pair each state with each ticket that a condition finds.
 */
export const joinState = `join (select id, phase, position, name from state where organization_id = $1 offset 0) st on st.id = t.state_id`

/** The columns of ticket `t` that a CTE `page` needs for `listAnswer`. */
export const pageColumns = 't.id, t.template_id, t.state_id, t.title, t.parent_id'

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
}
export type ListAnswer = RowOf<typeof listRow> & Partial<RowOf<typeof blockedRow>>

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
      where tl.organization_id = $1 and tl.ticket_id = any(array(select id from page))) as labels`
}

/** Appended to the select list of an answer about the CTE `page`: which of its tickets are blocked; an id may appear twice. */
export const blockedAnswer = `, (select json_agg(block.to_ticket_id) ${openBlocks} and block.to_ticket_id = any(array(select id from page))) as blocked`
export const blockedRow = { blocked: nullable(json<number[]>()) }

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

/** The JSON of the first `most` tickets, with `Blocked` if it was read; `more` adds members to each. Objects and a serializer would take three times as long. */
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
  const isMine = new Set(mine)
  const blockedIds = new Set(blocked)
  const isBlocked = (id: number) => (blockedIds.has(id) ? ',"Blocked":1' : ',"Blocked":0')
  const blockedMark = blocked === undefined ? () => '' : isBlocked
  const labelsOf = Map.groupBy(labels ?? [], ([id]) => id)
  let text = ''
  for (let index = 0; index < ids.length && index < most; index++) {
    const id = ids[index] as number
    const type = typeOf.get(templateIds[index] as number) ?? typeText('')
    const state = stateOf.get(stateIds[index] as number) ?? stateText('', 1)
    const assigned = isMine.has(id) ? ',"UserAssigned":1' : ',"UserAssigned":0'
    const children = countOf.get(id) ?? noChildren
    const carried = labelsOf.get(id)
    const carriedLabels = carried === undefined ? noLabels : labelText(carried)
    text += `${index === 0 ? '[{"id":' : '},{"id":'}${id}${type}${state}${titles[index]}${assigned}${children}${parentIds[index]}${carriedLabels}${blockedMark(id)}${more(id)}`
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
