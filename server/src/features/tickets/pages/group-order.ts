import type { Phase } from '@tessera/contract/scalars'
import { decodeCursor, encodeCursor, isId } from '../../../lib/cursor.ts'
import { invalid } from '../../../lib/failure.ts'
import { type columnOrder, specOf } from '../columns/column-order.ts'

type SortKey = (string | number)[]
/** By template, phase or state: the columns that order the groups of tickets. */
export type Order = ReturnType<typeof columnOrder>

/** The tickets of one template in one state on one level (roots or not). */
export interface Group {
  templateId: number
  stateId: number
  root: boolean
  tickets: number
}
export interface Names {
  templates: ReadonlyMap<number, string>
  /** Their names where groups are shown. */
  states: ReadonlyMap<number, { position: number; phase: Phase; name?: string }>
}

const byText = new Intl.Collator('en', { sensitivity: 'accent' })

/** Types sort by their shown names, phases and states by the project's order of states. */
export function sortKey({ columns }: Order, names: Names, templateId: number, stateId: number): SortKey {
  const { phase = 0, position = 0 } = names.states.get(stateId) ?? {}
  return columns.map(({ Column }) => {
    if (Column === 'Type') return names.templates.get(templateId) ?? ''
    return Column === 'Phase' ? phase : position
  })
}

/** The rank of each template in the order of their names; equal names share one. */
export function templateRanks(templates: Names['templates']) {
  const names = [...new Set(templates.values())].sort(byText.compare)
  const ranks = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const before = names[index - 1]
    const isEqual = before !== undefined && byText.compare(before, name) === 0
    ranks.set(name, isEqual ? (ranks.get(before) ?? index) : index)
  }
  return new Map([...templates].map(([id, name]) => [id, ranks.get(name) ?? 0]))
}

function compareKeys({ columns }: Order, left: SortKey, right: SortKey) {
  for (const [index, { Direction }] of columns.entries()) {
    const [a, b] = [left[index], right[index]]
    const difference = typeof a === 'number' ? a - Number(b) : byText.compare(String(a), String(b))
    if (difference !== 0) return Direction === 'asc' ? difference : -difference
  }
  return 0
}

export interface Position {
  key: SortKey
  id: number
}

/** Groups with their rank in the order, from 1; equal groups share a rank. With `after`, also the position where the next page begins. */
export function rank<G extends Pick<Group, 'templateId' | 'stateId'>>(order: Order, names: Names, groups: readonly G[], after?: Position) {
  const keyed = groups
    .map(group => ({ ...group, key: sortKey(order, names, group.templateId, group.stateId), rank: 0 }))
    .sort((left, right) => compareKeys(order, left.key, right.key))
  let last = 0
  for (const [index, group] of keyed.entries()) {
    const before = keyed[index - 1]
    if (!before || compareKeys(order, before.key, group.key) !== 0) last++
    group.rank = last
  }
  if (!after) return { groups: keyed, from: { rank: 0, id: 0 } }
  // The key of a cursor may now fall between two ranks, for example when its state has no tickets left.
  const same = keyed.find(group => compareKeys(order, group.key, after.key) === 0)
  if (same) return { groups: keyed, from: { rank: same.rank, id: after.id } }
  const earlier = keyed.findLast(group => compareKeys(order, group.key, after.key) < 0)
  return { groups: keyed, from: { rank: earlier?.rank ?? 0, id: order.id === 'desc' ? 0 : Number.MAX_SAFE_INTEGER } }
}

export function writeCursor(order: Order, { key, id }: Position) {
  return encodeCursor(specOf(order), key, id)
}

/** Where the previous page ended; 400 unless the cursor was written for this order. */
export function readCursor(order: Order, cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [key, id, ...rest] = decodeCursor(specOf(order), cursor)
  const isKey =
    Array.isArray(key) &&
    key.length === order.columns.length &&
    order.columns.every(({ Column }, index) => typeof key[index] === (Column === 'Type' ? 'string' : 'number'))
  if (isKey && isId(id) && rest.length === 0) return { key, id }
  throw invalid('Cursor', 'is not a cursor of this list')
}
