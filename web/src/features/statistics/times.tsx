import type { Response } from '@tessera/contract/call'
import type { getProjectStatistics } from '@tessera/contract/projects/statistics'
import type { ReactNode } from 'react'
import { PhaseMark } from '../../components/icons/phase-mark.tsx'
import { ScrollArea } from '../../components/scroll-area/scroll-area.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { counted, formatNumber } from '../../lib/display/format.ts'
import { PageLink } from '../../lib/navigation/page-link.tsx'
import styles from './charts.module.css'
import { days, type ListOf } from './charts.tsx'
import { closedIn } from './paths.ts'
import type { Range } from './range.ts'

type Statistics = Response<typeof getProjectStatistics>

interface TimesProps {
  title: string
  summary: ReactNode
  /** What the rows are, and the columns before the times. */
  columns: readonly string[]
  rows: readonly { name: string; head: ReactNode; cells: readonly string[]; spread: Statistics['Closed']['ToActive'] }[]
}

function Times({ title, summary, columns, rows }: TimesProps) {
  return (
    <SectionCard title={title}>
      <p className={styles.summary}>{summary}</p>
      <ScrollArea label={title} className={styles.scroll}>
        <table aria-label={title} className={styles.table}>
          <thead>
            <tr>
              {[...columns, 'Median', '85% within'].map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, head, cells, spread }) => (
              <tr key={name}>
                <th scope="row">{head}</th>
                {[...cells, days(spread.Median), days(spread.P85)].map((cell, column) => (
                  <td key={columns[column + 1] ?? column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </SectionCard>
  )
}

/** How long the tickets closed in the range took. */
export function TimesToMove({ closed, range, listOf }: { closed: Statistics['Closed']; range: Range; listOf: ListOf }) {
  const tickets = counted(closed.Tickets, 'ticket')
  return (
    <Times
      title="Time from creation"
      summary={
        <>
          Of {closed.Tickets > 0 ? <PageLink to={listOf(`is:closed ${closedIn(range)}`)}>{tickets}</PageLink> : tickets} closed in this
          period and not reopened.
        </>
      }
      columns={['Time']}
      rows={[
        { name: 'To the first Active', head: 'To the first Active', cells: [], spread: closed.ToActive },
        { name: 'To Inactive', head: 'To Inactive', cells: [], spread: closed.ToInactive },
      ]}
    />
  )
}

/** How long they were in each state before. */
export function TimesInStates({ states }: { states: Statistics['States'] }) {
  return (
    <Times
      title="Time in each state"
      summary="Of the tickets closed in this period and not reopened: those that were in the state, and for how long in all."
      columns={['State', 'Tickets']}
      rows={states.map(({ State, Phase, Tickets, ...spread }) => ({
        name: State,
        head: (
          <>
            <PhaseMark phase={Phase} /> {State}
          </>
        ),
        cells: [formatNumber(Tickets)],
        spread,
      }))}
    />
  )
}
