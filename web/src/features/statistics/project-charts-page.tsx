import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../components/empty-state/error-state.tsx'
import { NotFound } from '../../components/empty-state/not-found.tsx'
import { ChartIcon } from '../../components/icons/icons.tsx'
import { PageContent } from '../../components/page-content/page-content.tsx'
import { PageHeading } from '../../components/page-content/page-heading.tsx'
import { Skeleton } from '../../components/skeleton/skeleton.tsx'
import { ToggleGroup } from '../../components/toggle-group/toggle-group.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { timeZone } from '../../lib/display/zone.ts'
import { useActions } from '../../lib/input/actions.ts'
import { PageLink } from '../../lib/navigation/page-link.tsx'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { useIdInAddress } from '../../lib/navigation/use-navigation.ts'
import { useSearch, withParameters } from '../../lib/navigation/use-search.ts'
import { QueryField } from '../search/query-field/query-field.tsx'
import styles from './charts.module.css'
import { AgeOfOpenWork, CreatedAndClosed, CumulativeFlow } from './charts.tsx'
import { OwnRange } from './own-range.tsx'
import { listPath } from './paths.ts'
import { bucketsOf, readRange } from './range.ts'
import { TimesInStates, TimesToMove } from './times.tsx'

const choices = [
  { value: '30', label: '30 days', action: 'Show the last 30 days' },
  { value: '90', label: '90 days', action: 'Show the last 90 days' },
  { value: '365', label: 'Year', action: 'Show the last year' },
  { value: 'own', label: 'Custom', action: 'Choose the first and the last day' },
]

/** The charts of a project, or of the tickets that a query finds in it. Range and query are in the address. */
export function ProjectChartsPage() {
  const idProject = useIdInAddress()
  return idProject === undefined ? <NotFound noun="project" /> : <Charts key={idProject} idProject={idProject} />
}

function Charts({ idProject }: { idProject: number }) {
  const [search, change] = useSearch()
  const query = search.get('q') ?? ''
  const { from, to, days } = readRange(search)
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const statistics = useQuery({
    ...callQuery(getProjectStatistics, { idProject, From: from, To: to, Zone: timeZone(), ...(query && { Query: query }) }),
    placeholderData: keepPreviousData,
  })
  const title = project.data?.Title ?? ''
  usePageTitle(title && `Charts of ${title}`)
  const set = (values: Record<string, string>) => change(now => withParameters(now, values))
  const choose = (value: string) => set(value === 'own' ? { days: '', from, to } : { days: value, from: '', to: '' })
  const isGone = [project, statistics].some(({ error }) => error?.status === 404)
  useActions(isGone ? [] : choices.map(({ value, action }) => ({ label: action, words: 'charts range', run: () => choose(value) })))

  if (isGone) return <NotFound noun="project" wasHere={project.data !== undefined} />

  const listOf = (condition: string) => listPath(idProject, query, condition)
  const { data, error } = statistics
  const buckets = data ? bucketsOf(data.Days) : []
  const hasTickets = buckets.some(({ proposed, active, inactive, created }) => proposed + active + inactive + created > 0)
  const isQueryError = error?.code === 'query'
  return (
    <PageContent>
      <div className={styles.head}>
        <PageHeading>
          Charts of <PageLink to={`/view-project/${idProject}`}>{title || 'the project'}</PageLink>
        </PageHeading>
        <div className={styles.range}>
          <ToggleGroup label="Days" value={days} options={choices} onChange={choose} />
          {days === 'own' && <OwnRange range={{ from, to }} onChange={range => set({ ...range })} />}
        </div>
      </div>
      <QueryField
        label="Query"
        value={query}
        idProject={idProject}
        error={isQueryError ? error : undefined}
        onChange={q => set({ q })}
        className={styles.query}
      />
      {error && !isQueryError && !data && <ErrorState message={error.message} onRetry={() => void statistics.refetch()} />}
      {statistics.isPending && (
        <div role="status" aria-label="Loading the charts" className={styles.charts}>
          <Skeleton height={340} />
          <Skeleton height={340} />
        </div>
      )}
      {data && !hasTickets && !isQueryError && (
        <EmptyState icon={<ChartIcon />} title={query ? 'No ticket matches' : 'There were no tickets yet'}>
          {query ? 'There is nothing to draw for this query.' : 'There is nothing to draw for these days.'}
        </EmptyState>
      )}
      {data && hasTickets && !isQueryError && (
        <div className={styles.charts} aria-busy={statistics.isFetching}>
          <CreatedAndClosed buckets={buckets} listOf={listOf} />
          <CumulativeFlow buckets={buckets} listOf={listOf} />
          <AgeOfOpenWork open={data.Open} listOf={listOf} />
          <div className={styles.times}>
            <TimesToMove closed={data.Closed} range={{ from, to }} listOf={listOf} />
            {data.States.length > 0 && <TimesInStates states={data.States} />}
          </div>
        </div>
      )}
    </PageContent>
  )
}
