import type { Request } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { setView } from '@tessera/contract/projects/views'
import type { Phase } from '@tessera/contract/scalars'
import { type queryTickets, sortColumns } from '@tessera/contract/tickets/tickets'
import { timeZone } from '../../../../lib/display/zone.ts'
import { firstCharacters } from '../../../../lib/forms/first-characters.ts'
import { columnNames } from './kept-columns.ts'

export interface SortSlot {
  /** One that every list has, or one that was added. */
  Column: string
  Direction: 'asc' | 'desc'
}
/** `tree`: the roots with their children below them. `list`: every ticket that matches. `board`: the same in columns. `calendar`: on their days. `timeline`: from day to day. */
const layouts = ['tree', 'list', 'board', 'calendar', 'timeline'] as const
export type Layout = (typeof layouts)[number]

/** Whether the layout is a table of rows. */
export function isTable(layout: Layout): layout is 'tree' | 'list' {
  return layout === 'tree' || layout === 'list'
}
/** Whether the layout shows the days of DATE fields. */
export function isOfDates(layout: Layout) {
  return layout === 'calendar' || layout === 'timeline'
}

/** What the lanes of a board are by, as in a saved view: 0 for none, 1 for the parent. */
export type LanesBy = NonNullable<Request<typeof setView>['Lanes']>
const lanesBy: readonly LanesBy[] = [0, 1, 'Assignee', 'Label']

/** Lanes as they are stored or in an address; none where the value is not known. */
export function readLanes(value: unknown): LanesBy {
  return lanesBy.find(by => String(by) === String(value)) ?? 0
}

/** The view of a ticket list, stored completely in the address. */
export interface TicketView {
  /** In the query language; combined with the filters below. */
  query: string
  layout: Layout
  /** What list and board are grouped by: `State`, `Type`, `Assignee`, the database key of a SELECT field, or '' for nothing; of a calendar, the key of its DATE field; of a timeline, those of two, `start..due`. */
  group: string
  /** Undefined when nobody said so, and the person's last choice holds. */
  lanes?: LanesBy | undefined
  id: string
  title: string
  types: number[]
  phases: Phase[]
  states: number[]
  subordinates: Phase[]
  labels: number[]
  mine: boolean
  /** In the order of clicking. */
  sort: SortSlot[]
  /** Added to those that every list has, by name. */
  columns: string[]
  /** Tickets whose children are shown. */
  open: number[]
  /** The saved view that was loaded, by id; 0 without one. */
  saved: number
}
export const plainView: TicketView = {
  query: '',
  layout: 'tree',
  group: '',
  id: '',
  title: '',
  types: [],
  phases: [],
  states: [],
  subordinates: [],
  labels: [],
  mine: false,
  sort: [],
  columns: [],
  open: [],
  saved: 0,
}

/** Each part of an address that a view is written to; one that is '' is left out. */
const parts: Readonly<Record<string, (view: TicketView) => string>> = {
  q: ({ query }) => query,
  layout: ({ layout }) => (layout === 'tree' ? '' : layout),
  group: ({ group }) => group,
  lanes: ({ lanes }) => (lanes === undefined ? '' : String(lanes)),
  id: ({ id }) => id,
  title: ({ title }) => title,
  type: ({ types }) => types.join(),
  phase: view => view.phases.join(),
  state: ({ states }) => states.join(),
  sub: ({ subordinates }) => subordinates.join(),
  label: ({ labels }) => labels.join(),
  mine: ({ mine }) => (mine ? '1' : ''),
  sort: ({ sort }) => sort.map(({ Column, Direction }) => `${Column}.${Direction}`).join(),
  columns: ({ columns }) => columns.join(),
  open: ({ open }) => open.join(),
  view: ({ saved }) => (saved ? String(saved) : ''),
}

function ids(text: string | null) {
  const numbers = (text ?? '').split(',').map(Number)
  return [...new Set(numbers.filter(id => Number.isSafeInteger(id) && id > 0))]
}
function phases(text: string | null) {
  return ids(text).filter((id): id is Phase => id <= 3)
}
function sortSlots(text: string | null, columns: readonly string[]) {
  const slots: SortSlot[] = []
  for (const slot of (text ?? '').split(',')) {
    const [name, direction] = slot.split('.')
    const column = [...sortColumns, ...columns].find(known => known === name)
    if (column && (direction === 'asc' || direction === 'desc') && !slots.some(({ Column }) => Column === column))
      slots.push({ Column: column, Direction: direction })
  }
  return slots
}

/** Reads known values and ignores the rest: an address may come from anywhere. `kept` are the columns where it names none. */
export function readView(search: URLSearchParams, kept: string[] = []): TicketView {
  const columns = search.has('columns') ? columnNames(search.get('columns')) : kept
  return {
    query: (search.get('q') ?? '').slice(0, 4 * limits.queryLength),
    layout: layouts.find(layout => layout === search.get('layout')) ?? 'tree',
    group: /^[A-Za-z0-9_]{1,64}(\.\.[A-Za-z0-9_]{1,64})?$/.exec(search.get('group') ?? '')?.[0] ?? '',
    lanes: search.has('lanes') ? readLanes(search.get('lanes')) : undefined,
    id: (search.get('id') ?? '').slice(0, 64),
    title: firstCharacters(search.get('title') ?? '', limits.ticketTitle),
    types: ids(search.get('type')),
    phases: phases(search.get('phase')),
    states: ids(search.get('state')),
    subordinates: phases(search.get('sub')),
    labels: ids(search.get('label')),
    mine: search.get('mine') === '1',
    sort: sortSlots(search.get('sort'), columns),
    columns,
    open: ids(search.get('open')),
    saved: ids(search.get('view'))[0] ?? 0,
  }
}

/** Whether the address has any part of a view. */
export function namesView(search: URLSearchParams) {
  return Object.keys(parts).some(name => search.has(name))
}

/** Writes the view into an address; its other parameters are kept. */
export function writeView(search: URLSearchParams, view: TicketView) {
  const next = new URLSearchParams(search)
  for (const [name, write] of Object.entries(parts)) {
    const text = write(view)
    if (text) next.set(name, text)
    else next.delete(name)
  }
  return next
}

/** The filters in the form of `query-tickets`. */
function filtersOf({ types, phases, states, subordinates, labels, mine, ...view }: TicketView) {
  const id = view.id.trim()
  const title = view.title.trim()
  const query = view.query.trim()
  return {
    ...(query && { Query: query, Zone: timeZone() }),
    ...(id && { Id: id }),
    ...(title && { Title: title }),
    ...(types.length > 0 && { Types: types }),
    ...(phases.length > 0 && { Phases: phases }),
    ...(states.length > 0 && { States: states }),
    ...(subordinates.length > 0 && { Subordinates: subordinates }),
    ...(labels.length > 0 && { Labels: labels }),
    ...(mine && { Mine: 1 as const }),
  }
}

export function isFiltered(view: TicketView) {
  return Object.keys(filtersOf(view)).length > 0
}

/** The filters and the sorting in the form of `query-tickets`. */
export function viewRequest(view: TicketView): Omit<Request<typeof queryTickets>, 'idProject'> {
  const { layout, group, sort, columns } = view
  return {
    ...filtersOf(view),
    // Without a filter the server answers with the roots; every phase is every ticket.
    ...(layout !== 'tree' && !isFiltered(view) && { Phases: [1, 2, 3] }),
    ...(layout === 'list' && group && { Group: group }),
    ...(sort.length > 0 && { Sort: sort }),
    ...(columns.length > 0 && { Columns: columns }),
  }
}
