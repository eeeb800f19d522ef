import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button/button.tsx'
import { ScrollArea } from '../../components/scroll-area/scroll-area.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { VisuallyHidden } from '../../components/visually-hidden/visually-hidden.tsx'
import { formatNumber } from '../../lib/display/format.ts'
import { PageLink } from '../../lib/navigation/page-link.tsx'
import styles from './charts.module.css'

/** A number of tickets, and the address of their list. */
interface Point {
  value: number
  path: string
}
interface ChartTable {
  /** Names the first column. */
  of: string
  columns: readonly string[]
  rows: readonly { name: string; points: readonly Point[] }[]
}

interface ChartCardProps {
  title: string
  /** What the colors mean. */
  legend?: readonly { name: string; color: string }[]
  /** One sentence with the essence, above the chart. */
  summary: string
  /** The same numbers; always available to screen readers, on demand for others. */
  table: ChartTable
  /** The chart; hidden from screen readers. */
  children: ReactNode
}

/** A chart and its numbers as a table: one or the other is shown. */
export function ChartCard({ title, legend = [], summary, table, children }: ChartCardProps) {
  const [isTable, showTable] = useState(false)
  return (
    <SectionCard
      title={title}
      actions={
        <Button aria-label={`TABLE: ${title}`} aria-pressed={isTable} onClick={() => showTable(!isTable)}>
          TABLE
        </Button>
      }
    >
      <p className={styles.summary}>{summary}</p>
      {isTable ? (
        <ScrollArea label={title} className={styles.scroll}>
          <Numbers title={title} table={table} isLinked />
        </ScrollArea>
      ) : (
        <>
          {legend.length > 0 && (
            <ul aria-hidden="true" className={styles.legend}>
              {legend.map(({ name, color }) => (
                <li key={name}>
                  <span className={styles.swatch} style={{ background: color }} />
                  {name}
                </li>
              ))}
            </ul>
          )}
          <div aria-hidden className={styles.picture}>
            {children}
          </div>
          {/* Without links: they would take the focus, and nobody would see them. */}
          <VisuallyHidden>
            <Numbers title={title} table={table} isLinked={false} />
          </VisuallyHidden>
        </>
      )}
    </SectionCard>
  )
}

function Numbers({ title, table, isLinked }: { title: string; table: ChartTable; isLinked: boolean }) {
  return (
    <table aria-label={title} className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{table.of}</th>
          {table.columns.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(({ name, points }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {points.map(({ value, path }, column) => (
              <td key={table.columns[column]}>
                {isLinked && value > 0 ? <PageLink to={path}>{formatNumber(value)}</PageLink> : formatNumber(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
