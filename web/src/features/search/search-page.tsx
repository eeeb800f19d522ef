import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Request } from '@tessera/contract/call'
import { searchTickets } from '@tessera/contract/tickets/search'
import { useEffect, useRef } from 'react'
import { Card } from '../../components/card/card.tsx'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../components/empty-state/error-state.tsx'
import { SearchIcon } from '../../components/icons/icons.tsx'
import { MoreButton } from '../../components/more-button/more-button.tsx'
import { PageContent } from '../../components/page-content/page-content.tsx'
import { PageHeading } from '../../components/page-content/page-heading.tsx'
import { Select } from '../../components/select/select.tsx'
import { Skeleton } from '../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../components/visually-hidden/visually-hidden.tsx'
import { callPages, post } from '../../lib/calls/api.ts'
import { timeZone } from '../../lib/display/zone.ts'
import { useActions } from '../../lib/input/actions.ts'
import { keepFocus } from '../../lib/input/keep-focus.ts'
import { focusHeading } from '../../lib/navigation/arrival.ts'
import { beginWalk, useWayBackFocus } from '../../lib/navigation/list-walk.ts'
import { PageLink } from '../../lib/navigation/page-link.tsx'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { useSearch, withParameters } from '../../lib/navigation/use-search.ts'
import { useSession } from '../../lib/session/session.tsx'
import { problemOfText } from './query-field/problem.ts'
import { QueryField } from './query-field/query-field.tsx'
import { countOf, type Found, spokenCount, wordsToMark } from './results/found.ts'
import { ResultLines } from './results/result-lines.tsx'
import { SearchesMenu } from './saved/searches-menu.tsx'
import styles from './search-page.module.css'

const examples = [
  ['payment "red boat" -draft', 'words, a phrase, and a word to leave out'],
  ['assignee:me is:open sort:-updated', 'assigned to me and open, the latest first'],
  ['state:proposed,active label:bug', 'one of several states, with a label'],
  ['updated:<7d has:comment', 'changed within a week, with comments'],
  ['due:..today or is:blocked', 'due by today, or blocked'],
] as const

const pageSize = 50

/** All tickets that a query finds: `/search?q=…&project=…`. */
export function SearchPage() {
  usePageTitle('Search')
  const { projects } = useSession()
  const [search, change] = useSearch()
  const query = search.get('q') ?? ''
  const idProject = projects.find(({ id }) => id === Number(search.get('project')))?.id
  const isAsked = query.trim() !== '' && !problemOfText(query)
  const input = { Query: query, Zone: timeZone(), Limit: pageSize, ...(idProject && { idProject }) }
  const found = useInfiniteQuery({
    ...callPages(searchTickets, input),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const { error } = found
  const set = (values: Record<string, string>) => change(now => withParameters(now, values))
  const project = useRef<HTMLButtonElement>(null)
  useActions([{ label: 'Choose the project to search in', run: () => project.current?.click() }])
  return (
    <PageContent maxWidth={960} className={styles.page}>
      <PageHeading>Search</PageHeading>
      <div className={styles.asked}>
        <QueryField
          className={styles.query}
          value={query}
          onChange={q => set({ q })}
          error={error}
          idProject={idProject}
          takesFocus={query === ''}
        />
        <Select
          ref={project}
          aria-label="Project"
          className={styles.project}
          value={idProject ?? 0}
          options={[{ value: 0, label: 'All projects' }, ...projects.map(({ id, Title }) => ({ value: id, label: Title }))]}
          onChange={id => set({ project: id === 0 ? '' : String(id) })}
        />
        <SearchesMenu
          query={query}
          idProject={idProject}
          isAsked={isAsked}
          onChoose={text => change(() => new URLSearchParams({ q: text }))}
        />
      </div>
      {!isAsked && query.trim() === '' && <Examples onChoose={q => set({ q })} />}
      {isAsked && error && !found.data && error.code !== 'query' && (
        <ErrorState dense message={error.message} onRetry={() => void found.refetch()} />
      )}
      {isAsked && found.isPending && !error && <LoadingResults />}
      {isAsked && (
        // MORE is gone with the last page: the first of the new results gets its focus.
        <div ref={keepFocus}>
          {found.data && error?.code !== 'query' && <Results input={input} pages={found.data.pages} isStale={found.isPlaceholderData} />}
          <MoreButton
            label="MORE"
            list={{
              hasMore: found.hasNextPage,
              isFetching: found.isFetching,
              error: found.isFetchNextPageError ? found.error : null,
              more: () => void found.fetchNextPage(),
            }}
          />
        </div>
      )}
    </PageContent>
  )
}

/** Without a result it is only spoken: the page says so below. */
function Count({ of }: { of: Found | undefined }) {
  if (!of || of.Total === 0) return <VisuallyHidden>{spokenCount(of)}</VisuallyHidden>
  if (of.TotalIsExact) return countOf(of)
  return (
    <>
      <span aria-hidden>{countOf(of)}</span>
      <VisuallyHidden>{spokenCount(of)}</VisuallyHidden>
      {', the best of the newest first: add a word to narrow them down'}
    </>
  )
}

interface ResultsProps {
  input: Request<typeof searchTickets>
  pages: readonly Found[]
  /** The results belong to the previous query. */
  isStale: boolean
}

function Results({ input, pages, isStale }: ResultsProps) {
  const { projects } = useSession()
  const [first] = pages
  const tickets = pages.flatMap(({ Tickets }) => Tickets)
  const also = [...new Set(pages.flatMap(({ Also = [] }) => Also))]
  const words = wordsToMark(input.Query, also)
  const total = first?.Total ?? 0
  const isInOneProject = input.idProject !== undefined
  const list = callPages(searchTickets, input).queryKey
  const rows = useWayBackFocus<HTMLUListElement>(list)
  const begin = (shown: number) => {
    const cursor = pages.at(-1)?.NextCursor ?? null
    beginWalk({ list, tickets: tickets.map(({ id }) => id), cursor, read: Cursor => post(searchTickets, { ...input, Cursor }), shown })
  }
  const step = (by: 1 | -1) => {
    const links = [...(rows.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    links[at < 0 ? 0 : at + by]?.focus()
  }
  useActions([
    { keys: 'j', label: 'Next ticket', run: () => step(1) },
    { keys: 'k', label: 'Previous ticket', run: () => step(-1) },
    { keys: 'Enter', label: 'Open the ticket' },
  ])
  return (
    <section aria-label="Results" aria-busy={isStale}>
      <p role="status" className={styles.count}>
        <Count of={first} />
        {also.length > 0 && (
          <>
            {' · also: '}
            <b>{also.join(', ')}</b>
          </>
        )}
      </p>
      {total === 0 ? (
        <EmptyState icon={<SearchIcon />} title="Nothing was found" dense>
          {isInOneProject ? 'Search in all projects, or use fewer or other words.' : 'Use fewer or other words.'}
        </EmptyState>
      ) : (
        <Card>
          <ul ref={rows} aria-label="Tickets" className={styles.list} data-stale={isStale || undefined}>
            {tickets.map(ticket => (
              <li key={ticket.id}>
                <PageLink to={`/view-ticket/${ticket.id}`} onClick={() => begin(ticket.id)} className={styles.row}>
                  <ResultLines
                    ticket={ticket}
                    words={words}
                    project={isInOneProject ? undefined : projects.find(({ id }) => id === ticket.idProject)?.Title}
                  />
                </PageLink>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  )
}

function LoadingResults() {
  return (
    <div className={styles.loading}>
      <VisuallyHidden role="status">Searching</VisuallyHidden>
      {[80, 60, 70, 50].map(width => (
        <Skeleton key={width} height={36} width={`${width}%`} />
      ))}
    </div>
  )
}

function Examples({ onChoose }: { onChoose: (query: string) => void }) {
  // The chosen one disappears with the others.
  useEffect(() => focusHeading, [])
  return (
    <section aria-label="Examples" className={styles.examples}>
      <p>Words find tickets by title, texts, comments, labels, attachments and key. Names narrow them down:</p>
      <ul>
        {examples.map(([query, meaning]) => (
          <li key={query}>
            <button type="button" onClick={() => onChoose(query)}>
              <code>{query}</code>
            </button>
            <span>{meaning}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
