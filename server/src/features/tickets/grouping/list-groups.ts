import type { Request } from '@tessera/contract/call'
import { propertyType } from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import type { queryTickets } from '@tessera/contract/tickets/tickets'
import type { Bind } from '../../../lib/bind.ts'
import { invalid } from '../../../lib/failure.ts'
import { columnOrder } from '../columns/column-order.ts'
import { type Names, templateRanks } from '../pages/group-order.ts'
import type { ListedTickets } from '../pages/list-rows.ts'

type Input = Request<typeof queryTickets>
type Sort = NonNullable<Input['Sort']>
interface Grouping {
  Group?: Input['Group'] | undefined
  Sort?: Sort | undefined
}

/** A field that a list is grouped by. */
export interface GroupField {
  id: number
  typeId: number
  options: { value: string; label: string }[]
}

/** What a list is grouped by, when it names a field. */
export function groupedKeys({ Group }: Grouping) {
  return Group === undefined || Group === 'State' || Group === 'Type' || Group === 'Assignee' ? [] : [Group]
}

/** The order of the list with that of its groups in front. */
export function groupedSort({ Group, Sort = [] }: Grouping): Sort {
  if (Group === undefined) return Sort
  const Column = Group === 'Assignee' ? 'Assignees' : Group
  const own = columnOrder(Sort).columns.find(slot => slot.Column === Column)
  return [{ Column, Direction: own?.Direction ?? 'asc' }, ...Sort]
}

/** 400 unless the project has something to group by under this name. */
export function requireGroup({ Group }: Grouping, fields: ReadonlyMap<string, Pick<GroupField, 'typeId'>>) {
  const [key] = groupedKeys({ Group })
  if (key !== undefined && fields.get(key)?.typeId !== propertyType.SELECT)
    throw invalid('Group', 'is neither State, Type nor Assignee nor the key of a SELECT field of this project')
}

/** SQL: the group of ticket `t`, as text, by anything but assignees. */
export function groupOf(group: string, field: GroupField | undefined, bind: Bind) {
  if (group === 'State') return 't.state_id::text'
  if (group === 'Type') return 't.template_id::text'
  return `(select v.value from ticket_value v where v.organization_id = $1 and v.ticket_id = t.id and v.field_id = ${bind(field?.id)} and v.value <> '')`
}

/** How many tickets each group has, as `listedGroups` takes it; people in the order of their names. */
export type GroupTotals = [value: string | null, tickets: number, label: string | null][]

interface ListedGroup {
  Value: number | string | null
  Label: string
  Phase?: Phase
  Total: number
}

/** The groups in the order of the list. Types of one name are one group. */
function listedGroups(
  grouping: Grouping,
  totals: GroupTotals,
  names: Names,
  field: GroupField | undefined,
): { groups: ListedGroup[]; groupIdOf: (value: string | null) => ListedGroup['Value'] } {
  const typeRanks = templateRanks(names.templates)
  const firstOfRank = new Map([...typeRanks].sort(([left], [right]) => right - left).map(([id, rank]) => [rank, id]))
  const groupIdOf = (value: string | null) => {
    if (value === null || field) return value
    const id = Number(value)
    return grouping.Group === 'Type' ? (firstOfRank.get(typeRanks.get(id) ?? -1) ?? id) : id
  }
  const groups = new Map<ListedGroup['Value'], PlacedGroup>()
  for (const [index, [text, tickets, label]] of totals.entries()) {
    const Value = groupIdOf(text)
    const known = groups.get(Value)
    if (known) known.Total += tickets
    else groups.set(Value, { Value, ...described(Value, label ?? '', index), Total: tickets })
  }
  /** `label` and `index` are those of a person. */
  function described(value: ListedGroup['Value'], label: string, index: number): Omit<PlacedGroup, 'Value' | 'Total'> {
    if (value === null) return { Label: '', place: withoutValue }
    if (field) {
      const option = field.options.findIndex(option => option.value === value)
      return { Label: field.options[option]?.label ?? String(value), place: option < 0 ? noOption : option }
    }
    const id = Number(value)
    if (grouping.Group === 'Type') return { Label: names.templates.get(id) ?? '', place: typeRanks.get(id) ?? 0 }
    const state = grouping.Group === 'State' ? names.states.get(id) : undefined
    return state ? { Label: state.name ?? '', Phase: state.phase, place: state.position } : { Label: label, place: index }
  }
  return { groups: inOrder([...groups.values()], groupedSort(grouping)[0]?.Direction), groupIdOf }
}

type PlacedGroup = ListedGroup & { place: number }
const noOption = Number.MAX_SAFE_INTEGER
const withoutValue = Number.POSITIVE_INFINITY

/** Tickets without a value, or with one that is no option, come last in either direction. */
function inOrder(groups: readonly PlacedGroup[], direction: 'asc' | 'desc' | undefined): ListedGroup[] {
  const isLast = ({ place }: PlacedGroup) => place >= noOption
  const sign = direction === 'desc' ? -1 : 1
  return groups
    .toSorted((left, right) => {
      if (isLast(left) || isLast(right)) return Number(isLast(left)) - Number(isLast(right))
      return (left.place - right.place) * sign
    })
    .map(({ place: _, ...group }) => group)
}

/** The groups as a member of the answer, and what shows the group of a row. */
export function groupsText(
  input: Grouping,
  page: { totals?: GroupTotals | null; grouped?: [ticketId: number, value: string | null][] | null },
  { ids, stateIds, templateIds }: ListedTickets,
  { names, fields }: { names: Names; fields: ReadonlyMap<string, GroupField> },
): { more?: (id: number) => string; groups: string } {
  if (input.Group === undefined) return { groups: '' }
  const { groups, groupIdOf } = listedGroups(input, page.totals ?? [], names, fields.get(input.Group))
  const of = new Map(page.grouped ?? ids.map((id, index) => [id, String((input.Group === 'Type' ? templateIds : stateIds)[index])]))
  return { more: id => `,"Group":${JSON.stringify(groupIdOf(of.get(id) ?? null))}`, groups: `,"Groups":${JSON.stringify(groups)}` }
}
