import { Failure } from '../../../lib/failure.ts'
import type { Row } from '../queries.ts'

export interface Transition {
  from: number
  to: number
}

interface Use {
  tickets: number
  trashed: number
}

/** Refuses to delete the last state, a state that a template starts in, and, without a replacement, a state with tickets; says what prevents it. */
export function requireDeletable(
  toDelete: readonly Row[],
  remaining: number,
  templates: readonly { name: string; entryStateId: number }[],
  tickets: ReadonlyMap<number, Use>,
  hasReplacement: boolean,
) {
  if (remaining === 0) throw new Failure('in_use', 'A project keeps at least one state')
  if (templates.length > 0) {
    const stateNames = new Map(toDelete.map(({ id, name }) => [id, name]))
    const where = (stateId: number) => (toDelete.length === 1 ? 'this state' : `the state ${stateNames.get(stateId)}`)
    throw new Failure('in_use', templates.map(({ name, entryStateId }) => `Template ${name} starts in ${where(entryStateId)}`).join('; '))
  }
  if (hasReplacement) return
  const inUse = toDelete.flatMap(({ id, name }) => {
    const use = tickets.get(id)
    return use ? [`${countOf(use)} in the state ${name}`] : []
  })
  if (inUse.length > 0) throw new Failure('in_use', `${inUse.join('; ')}: choose a state to move to`)
}

function countOf({ tickets, trashed }: Use) {
  const count = tickets === 1 ? '1 ticket is' : `${tickets} tickets are`
  if (trashed === 0) return count
  return trashed === tickets
    ? count.replace(/ticket(s?)/, 'ticket$1 of the trash')
    : `${count.replace(/ (is|are)$/, '')} (${trashed} in the trash) are`
}

/** The workflow as history keeps it: pairs of ids, in order. */
export function transitionPairs(transitions: readonly Transition[]) {
  return JSON.stringify(transitions.map(({ from, to }) => [from, to]).sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d))
}

export function parseTransitions(text: string | null): Transition[] {
  return (JSON.parse(text ?? '[]') as [number, number][]).map(([from, to]) => ({ from, to }))
}
