import { lineFeeds } from '@tessera/contract/names'
import { propertyType, type Renderer, rendererOf } from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import { decodeCursor, encodeCursor, isId } from '../../lib/cursor.ts'
import { invalid } from '../../lib/failure.ts'
import { type columnOrder, specOf } from './columns/rules.ts'

// ── Values ──────────────────────────────────────────────────────────────────

interface FieldRule {
  typeId: number
  options: readonly { value: string }[]
}

/** The problem with a field's new value, as a phrase that follows its path; undefined when it may be stored. `''` means no value and is always allowed. */
export function problemOfValue({ typeId, options }: FieldRule, value: string, isMember: (userId: number) => boolean): string | undefined {
  if (value === '') return undefined
  const renderer = rendererOf(typeId)
  return renderer && problems[renderer](value, options, isMember)
}

const problems: Record<Renderer, (value: string, options: FieldRule['options'], isMember: (id: number) => boolean) => string | undefined> =
  {
    TEXTMULTILINE: () => undefined,
    TEXT: () => undefined,
    SELECT: (value, options) => (options.some(option => option.value === value) ? undefined : 'must be one of the options'),
    NUMBER: value =>
      /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i.test(value) && Number.isFinite(Number(value)) ? undefined : 'must be a number, such as 12.5',
    DATE: value => (isDate(value) ? undefined : 'must be a date as YYYY-MM-DD'),
    CHECKBOX: value => (value === '1' ? undefined : 'must be 1 or empty'),
    MULTISELECT: (value, options) =>
      isSelection(value, new Set(options.map(option => option.value))) ? undefined : 'must be a JSON list of options, each at most once',
    USER: (value, _options, isMember) =>
      /^[1-9]\d{0,14}$/.test(value) && isMember(Number(value)) ? undefined : 'must be the id of a member of the project',
    URL: value => (isAddress(value) ? undefined : 'must be an address that begins with http:, https: or mailto:'),
  }

function isDate(value: string) {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value.startsWith('0000')) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

function isSelection(value: string, options: ReadonlySet<string>) {
  let list: unknown
  try {
    list = JSON.parse(value)
  } catch {
    return false
  }
  return Array.isArray(list) && list.every(entry => options.has(entry)) && new Set(list).size === list.length
}

/** The options of a stored MULTISELECT value; a value that is no JSON list is returned as a single option. */
export function selectionOf(value: string): string[] {
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.map(String) : [value]
  } catch {
    return [value]
  }
}

/** The value as it is stored: a text has LF line ends, a list without entries is no value, so that searches find it as empty. */
export function storedValue(typeId: number, value: string) {
  if (typeId === propertyType.TEXTMULTILINE) return lineFeeds(value)
  return typeId === propertyType.MULTISELECT && selectionOf(value).length === 0 ? '' : value
}

function isAddress(value: string) {
  return /^(https?:\/\/|mailto:)\S+$/i.test(value) && URL.canParse(value)
}

// ── The ID filter ───────────────────────────────────────────────────────────

/**
 * Which ids match when `needle` is looked for in `{shortCode}-{id}`, ignoring case: every one, none, or those whose digits are LIKE the pattern.
 */
export function idPattern(shortCode: string, needle: string): 'every' | 'none' | { like: string } {
  const code = shortCode.toLowerCase()
  const text = needle.toLowerCase()
  const dash = text.indexOf('-')
  if (dash === -1) {
    if (code.includes(text)) return 'every'
    return /^\d+$/.test(text) ? { like: `%${text}%` } : 'none'
  }
  const digits = text.slice(dash + 1)
  if (!code.endsWith(text.slice(0, dash))) return 'none'
  if (digits === '') return 'every'
  return /^\d+$/.test(digits) ? { like: `${digits}%` } : 'none'
}

/** Whether the text may be a ticket's key in this or another tracker: `OPS-42`. */
export function isKey(text: string) {
  return /^\s*\w{1,200}-\d{1,15}\s*$/.test(text)
}

/** `%`, `_` and `\` stand for themselves in a LIKE pattern. */
function likeText(text: string) {
  return text.replace(/[\\%_]/g, '\\$&')
}
export function likeContaining(text: string) {
  return `%${likeText(text)}%`
}

// ── Order and pages ─────────────────────────────────────────────────────────

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
  const state = names.states.get(stateId)
  return columns.map(({ Column }) =>
    Column === 'Type' ? (names.templates.get(templateId) ?? '') : Column === 'Phase' ? (state?.phase ?? 0) : (state?.position ?? 0),
  )
}

/** The rank of each template in the order of their names; equal names share one. */
export function templateRanks(templates: Names['templates']) {
  const names = [...new Set(templates.values())].sort(byText.compare)
  return new Map([...templates].map(([id, name]) => [id, names.findIndex(other => byText.compare(other, name) === 0)]))
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
