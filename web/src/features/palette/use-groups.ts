import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { getProjectMembers } from '@tessera/contract/projects/projects'
import { getSearchList } from '@tessera/contract/projects/saved-searches'
import { getViewList } from '@tessera/contract/projects/views'
import { valueText } from '@tessera/contract/query-language/print'
import { searchTickets } from '@tessera/contract/tickets/search'
import { callQuery } from '../../lib/calls/api.ts'
import { seldomStale } from '../../lib/calls/live/seldom-stale.ts'
import { timeZone } from '../../lib/display/zone.ts'
import { type Action, useActiveActions } from '../../lib/input/actions.ts'
import { navigate } from '../../lib/navigation/navigation.ts'
import { type Session, useSession } from '../../lib/session/session.tsx'
import { useDebounced } from '../../lib/state/use-debounced.ts'
import { viewOfSaved } from '../tickets/list/saved-views/saved-view.ts'
import { plainView, type TicketView, writeView } from '../tickets/list/view/ticket-view.ts'
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

const open = (path: string) => () => void navigate(path)

function ticketEntry({ id, pcode, Title, Phase, State }: Response<typeof searchTickets>['Tickets'][number]): Entry {
  return { id: `ticket-${id}`, phase: Phase, code: `${pcode}-${id}`, label: Title, detail: State, run: open(`/view-ticket/${id}`) }
}

function projectEntry({ id, Title, shortcode }: Session['projects'][number]): Entry {
  return { id: `project-${id}`, label: Title, detail: shortcode, run: open(`/view-project/${id}`) }
}

/** Opens the project's list as the view shows it. */
function openView(idProject: number, view: TicketView) {
  return open(`/view-project/${idProject}?${writeView(new URLSearchParams(), view)}`)
}

function viewEntry(idProject: number, view: Response<typeof getViewList>[number]): Entry {
  return { id: `view-${view.idView}`, label: view.Name, run: openView(idProject, viewOfSaved(view)) }
}

function personEntry(idProject: number, { idUser, Login, FullName }: Response<typeof getProjectMembers>[number]): Entry {
  return {
    id: `person-${idUser}`,
    label: `Tickets of ${FullName || Login}`,
    detail: FullName ? Login : undefined,
    run: openView(idProject, { ...plainView, query: `is:open assignee:${valueText(Login)}` }),
  }
}

function openSearch(query: string) {
  return open(`/search?${new URLSearchParams({ q: query })}`)
}

function savedSearchEntry({ idSearch, Name, Query }: Response<typeof getSearchList>[number]): Entry {
  return { id: `search-${idSearch}`, label: Name, run: openSearch(Query) }
}

function searchEntry(text: string): Entry {
  return { id: 'search', label: `Search for “${text}” in all projects`, run: openSearch(text) }
}

/** What matches the text, in groups: actions, pages, tickets, views and people; `loads` are the calls behind it. */
export function useGroups(text: string, isOverDialog: boolean) {
  const { projects, idActiveProject: idProject = 0 } = useSession()
  // Actions that are registered late, such as those of a selection whose bar is still loading, appear as soon as they are there.
  const actions = useActiveActions()
  const typed = text.trim()
  const wanted = useDebounced(typed, pause)
  const isTyped = typed !== ''
  const ofProject = { enabled: isTyped && idProject !== 0, staleTime: seldomStale }
  const views = useQuery({ ...callQuery(getViewList, { idProject }), ...ofProject })
  const searches = useQuery({ ...callQuery(getSearchList, {}), enabled: isTyped, staleTime: seldomStale })
  const people = useQuery({ ...callQuery(getProjectMembers, { idProject }), ...ofProject })
  const isSearch = wanted.length >= 2 || isKey(wanted)
  const found = useQuery({
    ...callQuery(searchTickets, { Query: wanted, Limit: most, Zone: timeZone() }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const title = projects.find(({ id }) => id === idProject)?.Title ?? ''
  const [far, near] = [actions.filter(({ isEverywhere }) => isEverywhere), actions.filter(({ isEverywhere }) => !isEverywhere)]

  const tickets: Group = {
    name: 'Tickets',
    entries: isTyped && isSearch && !found.isError ? (found.data?.Tickets ?? []).map(ticketEntry) : [],
  }
  const others: Group[] = [
    { name: 'Actions', entries: isOverDialog ? [] : matching(entriesOf(near), text) },
    { name: 'Go to', entries: matching(entriesOf(far), text) },
    { name: 'Projects', entries: matching(projects.map(projectEntry), text, most) },
  ]
  if (isTyped)
    others.push(
      {
        name: `Views of ${title}`,
        entries: matching(
          (views.data ?? []).map(view => viewEntry(idProject, view)),
          text,
          most,
        ),
      },
      {
        name: 'Saved searches',
        entries: matching((searches.data ?? []).map(savedSearchEntry), text, most),
      },
      {
        name: `People of ${title}`,
        entries: matching(
          (people.data ?? []).map(person => personEntry(idProject, person)),
          text,
          most,
        ),
      },
    )
  const everywhere: Group = { name: 'Search', entries: isTyped ? [searchEntry(typed)] : [] }
  const groups = isKey(text) ? [tickets, ...others, everywhere] : [...others, tickets, everywhere]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    // An unfinished query may be invalid: then there are no tickets.
    loads: isTyped ? [views, searches, people, ...(isSearch && found.error?.code !== 'query' ? [found] : [])] : [],
    isSearching: isTyped && (found.isFetching || wanted !== typed),
  }
}
