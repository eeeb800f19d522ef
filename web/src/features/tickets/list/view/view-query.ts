import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { phaseValues } from '@tessera/contract/query-language/names'
import { parse } from '@tessera/contract/query-language/parse'
import { print } from '@tessera/contract/query-language/print'
import { allOf, type Match, type Tree, termsOf, type Value } from '@tessera/contract/query-language/tree'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { queryClient } from '../../../../lib/calls/query-client.ts'
import type { TicketView } from './ticket-view.ts'

/** The names for the ids in filters. */
interface Names {
  types: ReadonlyMap<number, string>
  states: ReadonlyMap<number, string>
  labels: ReadonlyMap<number, string>
}

const quoted = (text: string): Value => ({ kind: 'quoted', text })
const phaseName = (phase: number) => phaseValues[phase - 1] ?? ''

/** The view's query together with its filters, printed as one query. */
export function printView(view: TicketView, { types, states, labels }: Names): string {
  const { where, sort } = parse(view.query)
  const match = (name: string, values: readonly Value[]): Match[] => (values.length === 0 ? [] : [{ kind: 'match', name, values }])
  const named = (name: string, ids: readonly number[], names: ReadonlyMap<number, string>) =>
    match(name, ids.flatMap(id => names.get(id) ?? []).map(quoted))
  const texts = (name: string, text: string) => match(name, text.trim() === '' ? [] : [quoted(`*${text.trim()}*`)])
  const words = (name: string, values: readonly string[]) =>
    match(
      name,
      values.map(text => ({ kind: 'text', text })),
    )
  const terms: Tree[] = [
    ...termsOf(where),
    ...texts('id', view.id),
    ...texts('title', view.title),
    ...named('type', view.types, types),
    ...words('phase', view.phases.map(phaseName)),
    ...named('state', view.states, states),
    ...words(
      'has',
      view.subordinates.map(phase => `${phaseName(phase)}-children`),
    ),
    ...named('label', view.labels, labels),
    ...words('is', view.mine ? ['mine'] : []),
  ]
  return print({ where: allOf(terms), sort })
}

/** The same; reads the project's names. */
export async function queryOfView(idProject: number, view: TicketView): Promise<string> {
  const fresh = { staleTime: seldomStale }
  const [types, archived, states, labels] = await Promise.all([
    view.types.length > 0 ? queryClient.fetchQuery({ ...callQuery(getTicketTemplateList, { idProject }), ...fresh }) : [],
    view.types.length > 0 ? queryClient.fetchQuery({ ...callQuery(getTicketTemplateList, { idProject, Archived: 1 }), ...fresh }) : [],
    view.states.length > 0 ? queryClient.fetchQuery({ ...callQuery(getTicketStateList, { idProject }), ...fresh }) : [],
    view.labels.length > 0 ? queryClient.fetchQuery({ ...callQuery(getLabelList, { idProject }), ...fresh }) : [],
  ])
  const names = {
    types: new Map([...types, ...archived].map(type => [type.idTicketTemplate, type.Description])),
    states: new Map(states.map(state => [state.id, state.Description])),
    labels: new Map(labels.map(label => [label.idLabel, label.Label])),
  }
  return printView(view, names)
}
