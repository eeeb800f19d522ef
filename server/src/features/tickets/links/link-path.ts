import type { Edge } from './link-kinds.ts'

/** By ticket, the tickets that its links lead to. */
export type Successors = Map<number, number[]>

export function addSuccessor(successors: Successors, { from, to }: Edge) {
  const ofFrom = successors.get(from)
  if (ofFrom) ofFrom.push(to)
  else successors.set(from, [to])
}

/** The shortest path, both ends included; undefined when there is none. */
export function pathBetween(successors: Successors, from: number, to: number): number[] | undefined {
  const cameFrom = new Map<number, number | null>([[from, null]])
  for (const id of cameFrom.keys()) {
    if (id === to) break
    for (const next of successors.get(id) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, id)
  }
  if (!cameFrom.has(to)) return undefined
  const path: number[] = []
  for (let id: number | null | undefined = to; id != null; id = cameFrom.get(id)) path.unshift(id)
  return path
}
