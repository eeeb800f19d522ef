import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { searchTickets } from '@tessera/contract/tickets/search'
import { useEffect, useRef } from 'react'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { PhaseMark } from '../../components/icons/phase-mark.tsx'
import { Link } from '../../components/link/link.tsx'
import { RowList } from '../../components/row-list/row-list.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { callQuery, post } from '../../lib/calls/api.ts'
import { refetchInBackground } from '../../lib/calls/background.ts'
import { followsTickets } from '../../lib/calls/live/concerned.ts'
import { formatNumber } from '../../lib/display/format.ts'
import { timeZone } from '../../lib/display/zone.ts'
import { beginWalk, useWayBackFocus } from '../../lib/navigation/list-walk.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useToday } from '../tickets/dates/days/use-today.ts'
import styles from './home-page.module.css'
import { lateWords } from './late-words.ts'

const lists: { title: string; query: string; empty: string; isDue?: true }[] = [
  { title: 'Assigned to me', query: 'assignee:me is:open sort:-updated', empty: 'No open tickets are assigned to you' },
  { title: 'Late', query: 'is:open due:<today sort:due', empty: 'Nothing is late', isDue: true },
  { title: 'Watching', query: 'is:watched is:open sort:-updated', empty: 'You are not watching any open tickets' },
  { title: 'Recently changed', query: 'updated:<7d sort:-updated', empty: 'Nothing has changed in the last 7 days' },
]
/** Tickets shown of each list; its title and its last line lead to all. */
const shown = 6

type List = (typeof lists)[number]

function inputOf({ query, isDue }: List) {
  return { Query: query, Zone: timeZone(), Limit: shown, ...(isDue && { Due: 1 as const }) }
}

/** The person's assigned, late, watched and changed tickets, from all their projects. */
export function TicketLists() {
  const today = useToday()
  const client = useQueryClient()
  const read = useRef(today)
  useEffect(() => {
    if (read.current === today) return
    read.current = today
    void refetchInBackground(client, ({ queryKey }) => queryKey[0] === searchTickets.path)
  }, [client, today])
  const answers = useQueries({ queries: lists.map(list => ({ ...callQuery(searchTickets, inputOf(list)), meta: followsTickets })) })
  return (
    <div className={styles.lists} data-waiting={answers.some(({ isPending }) => isPending) || undefined}>
      {lists.map((list, position) => (
        <TicketList key={list.title} list={list} answer={answers[position] as (typeof answers)[number]} />
      ))}
    </div>
  )
}

function TicketList({ list, answer }: { list: List; answer: UseQueryResult<Response<typeof searchTickets>> }) {
  const { title, query, empty } = list
  const path = `/search?${new URLSearchParams({ q: query })}`
  const { data } = answer
  // The session lists no archived ones. Their tickets cannot be changed.
  const { projects } = useSession()
  const isArchived = (idProject: number) => !projects.some(({ id }) => id === idProject)
  const input = inputOf(list)
  const asked = callQuery(searchTickets, input)
  const rows = useWayBackFocus<HTMLDivElement>(asked.queryKey)
  const begin = (idTicket: number) =>
    beginWalk({
      list: asked.queryKey,
      tickets: data?.Tickets.map(({ id }) => id) ?? [],
      cursor: data?.NextCursor ?? null,
      read: Cursor => post(searchTickets, { ...input, Cursor }),
      shown: idTicket,
    })
  return (
    <SectionCard
      isMinor
      title={title}
      count={data?.Total || undefined}
      path={path}
      footer={data && data.Total > data.Tickets.length && <Link to={path}>Show all {formatNumber(data.Total)}</Link>}
    >
      <div ref={rows}>
        <RowList
          label={title.toLowerCase()}
          rows={data?.Tickets.map(({ id, idProject, pcode, Title, Phase, State, Due }) => ({
            id,
            icon: <PhaseMark phase={Phase} />,
            text: Title,
            detail: `${pcode}-${id}${Due ? ` · ${lateWords(Due)}` : ''}${isArchived(idProject) ? ' · archived project' : ''}`,
            note: State,
          }))}
          load={answer}
          path={id => `/view-ticket/${id}`}
          onOpen={begin}
          empty={<EmptyState dense title={empty} />}
        />
      </div>
    </SectionCard>
  )
}
