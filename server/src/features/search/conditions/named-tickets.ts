import { foldedText } from '@tessera/contract/query-language/marks'
import type { Bind } from '../../../lib/bind.ts'

// Which tickets and projects a text of a query names. $1 is the organization.

export interface NamedProject {
  id: number
  code: string
  title: string
}

interface KeyedTicket {
  id: number
  /** Undefined when only the number was given: then it may be in any project. */
  projectId?: number
}

/** The ids of the tickets in these projects that the text names: 42, ops42 and OPS-42. */
export function ticketsNamed(text: string, projects: readonly NamedProject[]): KeyedTicket[] {
  const coded = projects.flatMap(({ id, code }) => {
    const rest = text.toLowerCase().startsWith(code.toLowerCase()) ? text.slice(code.length) : ''
    return /^-?\d{1,15}$/.test(rest) ? [{ id: Number(rest.replace('-', '')), projectId: id }] : []
  })
  return /^\d{1,15}$/.test(text) ? [{ id: Number(text) }, ...coded] : coded
}

/** The ids of the projects that have the text as code or title; accents count only where that finds one. */
export function projectsNamed(text: string, projects: readonly NamedProject[]) {
  const named = (same: (name: string) => string) =>
    projects.filter(({ code, title }) => [code, title].some(name => same(name) === same(text))).map(({ id }) => id)
  const exact = named(name => name.toLowerCase())
  return exact.length > 0 ? exact : named(foldedText)
}

/** The ids of the projects that have the word as their code. */
export function projectsCoded(word: string, projects: readonly NamedProject[]) {
  return projects.filter(({ code }) => code.toLowerCase() === word.toLowerCase()).map(({ id }) => id)
}

/** SQL: the ids of the tickets that had this key in the tracker that they were imported from. */
export function hadKey(key: string, bind: Bind) {
  return `select had.id from ticket had where had.organization_id = $1 and lower(had.external_id) = lower(${bind(key.trim())}::text)`
}

/** SQL: the ids of those of the keyed tickets that exist. */
export function thoseNamed(tickets: readonly KeyedTicket[], bind: Bind) {
  const [ids, projects] = [bind(tickets.map(each => each.id)), bind(tickets.map(each => each.projectId ?? null))]
  return `select named.id from unnest(${ids}::bigint[], ${projects}::bigint[]) as k (id, project_id)
    join ticket named on named.organization_id = $1 and named.id = k.id and (k.project_id is null or k.project_id = named.project_id)`
}

/** SQL: ticket `t` is a child of a keyed ticket; one without a project may be in any. */
export function isBelow(tickets: readonly KeyedTicket[], bind: Bind) {
  const ids = `${bind(tickets.map(each => each.id))}::bigint[]`
  // The ids alone tell the planner how many children they have.
  const isChild = `t.parent_id = any(${ids})`
  if (tickets.every(({ projectId }) => projectId === undefined)) return isChild
  return `(${isChild} and exists (select 1 from unnest(${ids}, ${bind(tickets.map(each => each.projectId ?? null))}::bigint[]) as k (id, project_id)
    where k.id = t.parent_id and coalesce(k.project_id, t.project_id) = t.project_id))`
}
