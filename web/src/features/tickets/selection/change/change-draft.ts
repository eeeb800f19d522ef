import type { Request } from '@tessera/contract/call'
import type { previewBulkChange } from '@tessera/contract/tickets/bulk'

export type BulkChange = NonNullable<Request<typeof previewBulkChange>['Change']>

/** A part of the tickets that is changed: `role.3` and `data.key` stand for those that a project defines. */
export type Part = 'State' | 'Parent' | 'AddLabels' | 'RemoveLabels' | 'SetLabels' | 'Watch' | `role.${number}` | `data.${string}`

/** How the people of a role change. */
export type RoleHow = 'add' | 'remove' | 'replace'
export interface ChangeDraft {
  /** In the order in which they were chosen. */
  parts: readonly Part[]
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

/** The changes of a role's people. `members` are all people in the project: replacing takes the role from all others. */
function rolePairs({ how, people }: { how: RoleHow; people: readonly number[] }, idRole: number, members: readonly number[]) {
  const pairs = people.map(idUser => ({ idUser, idRole, Enabled: how === 'remove' ? (0 as const) : (1 as const) }))
  const others = how === 'replace' ? members.filter(idUser => !people.includes(idUser)) : []
  return [...pairs, ...others.map(idUser => ({ idUser, idRole, Enabled: 0 as const }))]
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

/**
 * The request; undefined while a chosen part has no value, or no part is chosen. `labels` are all that the project offers, undefined while they are
 * not known: replacing takes all others off.
 */
export function changeOf(
  draft: ChangeDraft,
  { members, labels }: { members: readonly number[]; labels: readonly number[] | undefined },
): BulkChange | undefined {
  const change: BulkChange = {}
  for (const part of draft.parts) {
    if (part === 'State') {
      if (draft.State === null) return undefined
      change.State = draft.State
    } else if (part === 'Parent') {
      if (!draft.Parent) return undefined
      change.idParent = draft.Parent.id || null
    } else if (part === 'Watch') change.Watch = draft.Watch
    else if (part === 'AddLabels' || part === 'RemoveLabels') {
      if (draft[part].length === 0) return undefined
      const Enabled = part === 'AddLabels' ? (1 as const) : (0 as const)
      change.Labels = [...(change.Labels ?? []), ...draft[part].map(idLabel => ({ idLabel, Enabled }))]
    } else if (part === 'SetLabels') {
      if (!labels || labels.length === 0) return undefined
      change.Labels = [...new Set([...draft.SetLabels, ...labels])].map(idLabel => ({
        idLabel,
        Enabled: draft.SetLabels.includes(idLabel) ? (1 as const) : (0 as const),
      }))
    } else if (part.startsWith('role.')) {
      const idRole = Number(part.slice('role.'.length))
      const role = draft.roles[idRole]
      if (!role || (role.people.length === 0 && role.how !== 'replace')) return undefined
      change.TicketAssign = [...(change.TicketAssign ?? []), ...rolePairs(role, idRole, members)]
    } else {
      const key = part.slice('data.'.length)
      change.data = { ...change.data, [key]: valueIn(draft, key) }
    }
  }
  return draft.parts.length > 0 ? change : undefined
}
