import { useQuery } from '@tanstack/react-query'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { phaseValues } from '@tessera/contract/query-language/names'
import { parse } from '@tessera/contract/query-language/parse'
import { matchesOf, type Tree } from '@tessera/contract/query-language/tree'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'

/** Says which labels, states and types of the query the project does not have: they were mistyped, renamed or deleted. */
export function UnknownNames({ idProject, query }: { idProject: number; query: string }) {
  const where = readable(query)
  const [labels, states, types] = [namesIn(where, 'label'), namesIn(where, 'state'), namesIn(where, 'type')]
  const seldom = (isAsked: boolean) => ({ enabled: isAsked, staleTime: seldomStale })
  const known = {
    labels: useQuery({ ...callQuery(getLabelList, { idProject }), ...seldom(labels.length > 0) }).data,
    states: useQuery({ ...callQuery(getTicketStateList, { idProject }), ...seldom(states.length > 0) }).data,
    types: useQuery({ ...callQuery(getTicketTemplateList, { idProject }), ...seldom(types.length > 0) }).data,
    archived: useQuery({ ...callQuery(getTicketTemplateList, { idProject, Archived: 1 }), ...seldom(types.length > 0) }).data,
  }
  const unknown = [
    ...sentences(
      'label',
      labels,
      known.labels?.map(({ Label }) => Label),
    ),
    ...sentences('state', states, known.states && [...phaseValues, ...known.states.map(({ Description }) => Description)]),
    ...sentences('type', types, known.types && known.archived && [...known.types, ...known.archived].map(({ Description }) => Description)),
  ]
  return unknown.map(sentence => ` ${sentence}`).join('')
}

/** Null for a text that is no query: while it is typed, the list still shows the answer to the one before. */
function readable(query: string) {
  try {
    return parse(query).where
  } catch {
    return null
  }
}

/** What the query compares with this name, such as `bug` in `label:bug`. */
function namesIn(where: Tree | null, name: string) {
  return matchesOf(where)
    .filter(match => match.name === name)
    .flatMap(({ values }) => values)
    .flatMap(value => {
      if (value.kind === 'quoted') return [value.text]
      return value.kind === 'text' && !/^(none|empty)$/i.test(value.text) ? [value.text] : []
    })
}

function sentences(noun: string, wanted: readonly string[], known: readonly string[] | undefined) {
  if (!known) return []
  const isKnown = (name: string) => known.some(one => one.localeCompare(name, undefined, { sensitivity: 'base' }) === 0)
  return [...new Set(wanted)].filter(name => !isKnown(name)).map(name => `There is no ${noun} '${name}' in this project.`)
}
