import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getProjectMembers } from '@tessera/contract/projects/projects'
import { getViewList } from '@tessera/contract/projects/views'
import { valueText } from '@tessera/contract/query-language/print'
import { searchTickets } from '@tessera/contract/tickets/search'
import { callQuery } from '../../lib/calls/api.ts'
import { type Action, useActiveActions } from '../../lib/input/actions.ts'
import { navigate } from '../../lib/navigation/navigation.ts'
import { activateProject, useSession } from '../../lib/session/session.tsx'
import { useDebounced } from '../../lib/state/use-debounced.ts'
import { viewOfSaved } from '../tickets/list/saved-views/saved-view.ts'
import { plainView, writeView } from '../tickets/list/view/ticket-view.ts'
import { type Entry, type Group, isKey, matching } from './matching.ts'

/** The search waits until nothing was typed for this long, in milliseconds. */
const pause = 120
/** Maximum number of entries in each group. */
const most = 6

function entriesOf(actions: readonly Action[]): Entry[] {
  // Without duplicates: a menu may have the same action as a key.
  const byLabel = new Map(actions.flatMap(action => (action.run && action.keys !== 'Ctrl+K' ? [[action.label, action] as const] : [])))
  const ordered = [...byLabel.values()].sort((one, other) => Number(other.isFirst ?? false) - Number(one.isFirst ?? false))
  return ordered.map(({ label, words, keys, refused, run }) => ({
    id: `action-${label}`,
    label,
    words,
    keys,
    refused,
    run: () => run?.(),
  }))
}

/** What matches the text, in groups: actions, pages, tickets, views and people; `loads` are the calls behind it. */
export function useGroups(text: string, isOverDialog: boolean) {
  const { projects, idActiveProject } = useSession()
  // Actions that are registered late, such as those of a selection whose bar is still loading, appear as soon as they are there.
  const actions = useActiveActions()
  const wanted = useDebounced(text.trim(), pause)
  const isTyped = text.trim() !== ''
  const inProject = { idProject: idActiveProject ?? 0 }
  const ofProject = { enabled: isTyped && idActiveProject !== undefined, staleTime: 60_000 }
  const views = useQuery({ ...callQuery(getViewList, inProject), ...ofProject })
  const people = useQuery({ ...callQuery(getProjectMembers, inProject), ...ofProject })
  const isSearch = wanted.length >= 2 || isKey(wanted)
  const found = useQuery({
    ...callQuery(searchTickets, { Query: wanted, Limit: most }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const project = projects.find(({ id }) => id === idActiveProject)
  const open = (path: string) => () => void navigate(path)

  const tickets: Group = {
    name: 'Tickets',
    entries:
      isTyped && isSearch && !found.isError
        ? (found.data?.Tickets ?? []).map(({ id, pcode, Title, Phase, State }) => ({
            id: `ticket-${id}`,
            phase: Phase,
            code: `${pcode}-${id}`,
            label: Title,
            detail: State,
            run: open(`/view-ticket/${id}`),
          }))
        : [],
  }
  const everywhere: Group = {
    name: 'Search',
    entries: isTyped
      ? [
          {
            id: 'search',
            label: `Search for “${text.trim()}” in all projects`,
            run: open(`/search?${new URLSearchParams({ q: text.trim() })}`),
          },
        ]
      : [],
  }
  const others: Group[] = [
    { name: 'Actions', entries: isOverDialog ? [] : matching(entriesOf(actions.filter(({ isEverywhere }) => !isEverywhere)), text) },
    { name: 'Go to', entries: matching(entriesOf(actions.filter(({ isEverywhere }) => isEverywhere)), text) },
    {
      name: 'Projects',
      entries: matching(
        projects.map(({ id, Title, shortcode }) => ({
          id: `project-${id}`,
          label: Title,
          detail: shortcode,
          run: () => {
            activateProject(id)
            void navigate(`/view-project/${id}`)
          },
        })),
        text,
        most,
      ),
    },
    {
      name: `Views of ${project?.Title ?? ''}`,
      entries: isTyped
        ? matching(
            (views.data ?? []).map(view => ({
              id: `view-${view.idView}`,
              label: view.Name,
              run: open(`/view-project/${idActiveProject}?${writeView(new URLSearchParams(), viewOfSaved(view))}`),
            })),
            text,
            most,
          )
        : [],
    },
    {
      name: `People of ${project?.Title ?? ''}`,
      entries: isTyped
        ? matching(
            (people.data ?? []).map(({ idUser, Login, FullName }) => ({
              id: `person-${idUser}`,
              label: `Tickets of ${FullName || Login}`,
              detail: FullName ? Login : undefined,
              run: open(
                `/view-project/${idActiveProject}?${writeView(new URLSearchParams(), {
                  ...plainView,
                  query: `is:open assignee:${valueText(Login)}`,
                })}`,
              ),
            })),
            text,
            most,
          )
        : [],
    },
  ]
  const groups = isKey(text) ? [tickets, ...others, everywhere] : [...others, tickets, everywhere]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    // An unfinished query may be invalid: then there are no tickets.
    loads: isTyped ? [views, people, ...(isSearch && found.error?.code !== 'query' ? [found] : [])] : [],
    isSearching: isTyped && (found.isFetching || wanted !== text.trim()),
  }
}
