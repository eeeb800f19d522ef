import type { ReactNode } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { Card } from '../../../components/card/card.tsx'
import { LabelledCheckBox } from '../../../components/check-box/check-box.tsx'
import { FilterIcon } from '../../../components/icons/icons.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { ColumnsMenu } from './columns/columns-menu.tsx'
import { ColumnFilter, ColumnName, type ColumnProps, columns } from './list-head.tsx'
import styles from './list-tools.module.css'
import { isFiltered } from './view/ticket-view.ts'
import { ViewSelector } from './view/view-selector.tsx'

interface ListToolsProps extends ColumnProps {
  /** A phone has the filters here, as its list has no head. */
  isPhone: boolean
  /** A board has no head either. */
  isBoard?: boolean
  heading: ReactNode
  actions?: ReactNode
  /** How many tickets the filters leave. */
  matching: number | undefined
  isFiltering: boolean
  onFilter: (isFiltering: boolean) => void
}

/** The line above the list: its heading, the views, what can be done; on a phone the filters below it. */
export function ListTools({ isPhone, isBoard = false, heading, actions, matching, isFiltering, onFilter, ...columnProps }: ListToolsProps) {
  const { view, onChange } = columnProps
  return (
    <>
      <div className={styles.line}>
        <div className={styles.heading}>{heading}</div>
        {/* A phone has the actions beside the heading and the filters on a line of their own. */}
        {isPhone && <div className={styles.break} />}
        <div className={classNames(styles.tools, isPhone && styles.below)}>
          {(isPhone || isBoard) && (
            <Button
              aria-expanded={isFiltering}
              className={isFiltered(view) ? styles.filtered : undefined}
              onClick={() => onFilter(!isFiltering)}
            >
              <FilterIcon />
              FILTER
            </Button>
          )}
          {matching !== undefined && !isPhone && <div className={styles.count}>{formatNumber(matching)} matching</div>}
          <LabelledCheckBox
            label="My Tickets"
            checked={view.mine}
            onChange={event => onChange({ mine: event.target.checked })}
            className={styles.mine}
          />
          <ViewSelector onChange={onChange} />
          {!isBoard && <ColumnsMenu idProject={columnProps.idProject} columns={view.columns} onChange={onChange} isPhone={isPhone} />}
        </div>
        {actions && <div className={styles.tools}>{actions}</div>}
      </div>
      {(isPhone || isBoard) && isFiltering && (
        <Card className={styles.filters}>
          {columns.map(column => (
            <div key={column.name} className={classNames(styles.filter, column.filter === 'title' && styles.wide)}>
              <div className={styles.name}>
                <ColumnName column={column} {...columnProps} />
              </div>
              <ColumnFilter column={column} {...columnProps} />
            </div>
          ))}
        </Card>
      )}
    </>
  )
}
