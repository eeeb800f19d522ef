import type { Request } from '@tessera/contract/call'
import type { previewBulkChange } from '@tessera/contract/tickets/bulk'

export type BulkChange = NonNullable<Request<typeof previewBulkChange>['Change']>

type OwnPart = 'Type' | 'State' | 'Parent' | 'AddLabels' | 'RemoveLabels' | 'SetLabels' | 'Watch'
/** A part of the tickets that is changed: `role.3` and `data.key` stand for those that a project defines. */
export type Part = OwnPart | `role.${number}` | `data.${string}`

/** How the people of a role change. */
export type RoleHow = 'add' | 'remove' | 'replace'
export interface ChangeDraft {
  /** In the order in which they were chosen. */
  parts: readonly Part[]
  Type: number | null
  State: number | null
  /** 0 is the top of the project. */
  Parent: { id: number; text: string; Title: string } | null
  AddLabels: readonly number[]
  RemoveLabels: readonly number[]
  /** The only labels from then on. */
  SetLabels: readonly number[]
  Watch: 0 | 1
  roles: Readonly<Record<number, { how: RoleHow; people: readonly number[] }>>
  /** By database key. */
  data: Readonly<Record<string, string>>
}
export const emptyDraft: ChangeDraft = {
  parts: [],
  Type: null,
  State: null,
  Parent: null,
  AddLabels: [],
  RemoveLabels: [],
  SetLabels: [],
  Watch: 1,
  roles: {},
  data: {},
}

/** The new value of a field. Its key may be that of something every object has, such as `toString`. */
export function valueIn({ data }: ChangeDraft, key: string) {
  return Object.hasOwn(data, key) ? (data[key] ?? '') : ''
}

/** The parts that exclude each other: labels are added and removed, or replaced. */
const excluded: Partial<Record<Part, readonly Part[]>> = {
  AddLabels: ['SetLabels'],
  RemoveLabels: ['SetLabels'],
  SetLabels: ['AddLabels', 'RemoveLabels'],
}
/** Whether a part can be chosen besides those that are. */
export function isOpen(part: Part, parts: readonly Part[]) {
  return !parts.includes(part) && !parts.some(chosen => excluded[chosen]?.includes(part))
}

interface Known {
  /** All people in the project, undefined while they are not known: replacing takes the role from all others. */
  members: readonly number[] | undefined
  /** All that the project offers, undefined while they are not known: replacing takes all others off. */
  labels: readonly number[] | undefined
}
/** What a part adds to the change that has the parts before it; undefined while it has no value. `name` is what follows the dot. */
type Addition = (draft: ChangeDraft, change: BulkChange, known: Known, name: string) => BulkChange | undefined

const additions: Record<OwnPart | 'role' | 'data', Addition> = {
  Type: ({ Type }) => (Type === null ? undefined : { idTemplate: Type }),
  State: ({ State }) => (State === null ? undefined : { State }),
  Parent: ({ Parent }) => (Parent ? { idParent: Parent.id || null } : undefined),
  AddLabels: ({ AddLabels }, change) => moreLabels(change, AddLabels, 1),
  RemoveLabels: ({ RemoveLabels }, change) => moreLabels(change, RemoveLabels, 0),
  SetLabels({ SetLabels }, _, { labels = [] }) {
    if (labels.length === 0) return undefined
    const all = [...new Set([...SetLabels, ...labels])]
    return { Labels: all.map(idLabel => ({ idLabel, Enabled: SetLabels.includes(idLabel) ? 1 : 0 })) }
  },
  Watch: ({ Watch }) => ({ Watch }),
  role({ roles }, { TicketAssign = [] }, { members }, name) {
    const { how = 'add', people = [] } = roles[Number(name)] ?? {}
    if (people.length === 0 && how !== 'replace') return undefined
    const others = how === 'replace' ? members?.filter(idUser => !people.includes(idUser)) : []
    if (!others) return undefined
    const pairs = (of: readonly number[], Enabled: 0 | 1) => of.map(idUser => ({ idUser, idRole: Number(name), Enabled }))
    return { TicketAssign: [...TicketAssign, ...pairs(people, how === 'remove' ? 0 : 1), ...pairs(others, 0)] }
  },
  data: (draft, { data }, _, name) => ({ data: { ...data, [name]: valueIn(draft, name) } }),
}

function moreLabels({ Labels = [] }: BulkChange, more: readonly number[], Enabled: 0 | 1): BulkChange | undefined {
  return more.length === 0 ? undefined : { Labels: [...Labels, ...more.map(idLabel => ({ idLabel, Enabled }))] }
}

/** The request; undefined while a chosen part has no value, or no part is chosen. */
export function changeOf(draft: ChangeDraft, known: Known): BulkChange | undefined {
  const change: BulkChange = {}
  for (const part of draft.parts) {
    const kind = part.split('.', 1)[0] as keyof typeof additions
    const added = additions[kind](draft, change, known, part.slice(kind.length + 1))
    if (!added) return undefined
    Object.assign(change, added)
  }
  return draft.parts.length > 0 ? change : undefined
}
