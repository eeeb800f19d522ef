import { type ReactNode, Suspense, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { Card } from '../../../components/card/card.tsx'
import { LabeledCheckBox } from '../../../components/check-box/check-box.tsx'
import { FilterIcon, SearchIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import type { CallError } from '../../../lib/calls/api.ts'
import { classNames } from '../../../lib/display/class-names.ts'
import { formatNumber } from '../../../lib/display/format.ts'
import { HeldKeys } from '../../../lib/input/keys/held-keys.ts'
import { ColumnsMenu } from './columns/columns-menu.tsx'
import { ColumnFilter, ColumnName, type ColumnProps, columns, SortableName } from './list-head.tsx'
import styles from './list-tools.module.css'
import { ViewMenu } from './view/controls/view-menu.tsx'
import { ViewSelector } from './view/controls/view-selector.tsx'
import { isFiltered } from './view/ticket-view.ts'

const QueryField = lazy(async () => (await import('../../search/query-field/query-field.tsx')).QueryField)
const ViewBar = lazy(async () => (await import('./saved-views/view-bar.tsx')).ViewBar)

interface ListToolsProps extends ColumnProps {
  /** On a phone the filters are here, because its list has no header. */
  isPhone: boolean
  /** On a narrow screen COLUMNS is only its icon, so that all tools fit beside the heading. */
  isCompact?: boolean
  /** A board has no header either. */
  isBoard?: boolean
  heading: ReactNode
  actions?: ReactNode
  /** The number of tickets that match the filters. */
  matching?: number | undefined
  isFiltering: boolean
  onFilter: (isFiltering: boolean) => void
  /** Whether the board layout is offered. */
  hasBoard: boolean
  /** Undefined where there are no levels. */
  onExpandAll?: () => void
  /** Why the list could not be read; an error in the query is shown at its field. */
  error: CallError | null
}

/** The line above the list: its heading, the views, the actions; on a phone all filters are below it, behind FILTER. */
export function ListTools({
  isPhone,
  isCompact = isPhone,
  isBoard = false,
  heading,
  actions,
  matching,
  isFiltering,
  onFilter,
  ...props
}: ListToolsProps) {
  const { hasBoard, onExpandAll, error, ...columnProps } = props
  const { idProject, view, onChange, added } = columnProps
  const [isAsking, ask] = useState(false)
  const hasFilters = isPhone || isBoard
  const isAsked = isAsking || view.query !== ''
  const mine = (
    <LabeledCheckBox
      label="My Tickets"
      checked={view.mine}
      onChange={event => onChange({ mine: event.target.checked })}
      className={styles.mine}
    />
  )
  const asking = (
    <QueryButton
      isPressed={isAsked}
      isUsed={view.query !== ''}
      hasWord={isPhone}
      onPress={() => {
        ask(!isAsked)
        if (isAsked) onChange({ query: '' })
      }}
    />
  )
  return (
    <>
      <div className={classNames(styles.line, isCompact && styles.compact)}>
        <div className={classNames(styles.heading, isPhone && styles.beside)}>{heading}</div>
        {/* A phone has the actions beside the heading and the filters on a line of their own. */}
        {isPhone && <div className={styles.break} />}
        <div className={classNames(styles.end, isPhone && styles.apart)}>
          <div className={classNames(styles.tools, isPhone && styles.below)}>
            {hasFilters && (
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
            {!isPhone && mine}
            <ViewSelector idProject={idProject} view={view} onChange={onChange} isInPalette={hasBoard} />
            <ViewMenu idProject={idProject} view={view} onChange={onChange} hasBoard={hasBoard} {...(onExpandAll && { onExpandAll })} />
            {!isPhone && asking}
            {!isBoard && (
              <ColumnsMenu idProject={idProject} columns={view.columns} shown={added.length} onChange={onChange} isCompact={isCompact} />
            )}
          </div>
          {actions && <div className={styles.tools}>{actions}</div>}
          {/* The line has its height before the number comes. */}
          {isPhone && !isBoard && isFiltered(view) && (
            <div className={styles.matching}>{matching !== undefined && `${formatNumber(matching)} matching`}</div>
          )}
        </div>
      </div>
      {view.saved > 0 && (
        <Suspense fallback={<div className={styles.waiting} />}>
          <ViewBar idProject={idProject} view={view} onChange={onChange} />
        </Suspense>
      )}
      {isAsked && (
        <div className={styles.query}>
          <Suspense fallback={<div className={styles.waiting}>{view.query === '' && <HeldKeys />}</div>}>
            <QueryField
              idProject={idProject}
              value={view.query}
              onChange={query => {
                // The field stays for another query when this one is emptied.
                ask(true)
                onChange({ query })
              }}
              error={error}
              takesFocus={view.query === ''}
            />
          </Suspense>
        </div>
      )}
      {hasFilters && isFiltering && (
        <FilterCard {...columnProps}>
          {/* Beside the other tools there is no room for them. */}
          {isPhone && mine}
          {isPhone && asking}
        </FilterCard>
      )}
    </>
  )
}

interface QueryButtonProps {
  isPressed: boolean
  /** The list is filtered by a query. */
  isUsed: boolean
  hasWord: boolean
  onPress: () => void
}

/** Opens the field for a query, and closes it with its query. */
function QueryButton({ isPressed, isUsed, hasWord, onPress }: QueryButtonProps) {
  return (
    <Tooltip title="Query">
      <Button
        aria-label="Query"
        aria-expanded={isPressed}
        // So that no letter is typed before the field is there.
        onPointerEnter={QueryField.prepare}
        onFocus={QueryField.prepare}
        onClick={onPress}
        className={classNames(styles.icon, isUsed && styles.filtered)}
      >
        <SearchIcon />
        {hasWord && 'QUERY'}
      </Button>
    </Tooltip>
  )
}

/** The filters and orders that a list without a header has nowhere else. */
function FilterCard({ children, ...props }: ColumnProps & { children: ReactNode }) {
  return (
    <Card className={styles.filters}>
      {children}
      {columns.map(column => (
        <div key={column.name} className={classNames(styles.filter, column.filter === 'title' && styles.wide)}>
          <div className={styles.name}>
            <ColumnName column={column} {...props} />
          </div>
          <ColumnFilter column={column} {...props} />
        </div>
      ))}
      {props.added.map(({ name, label }) => (
        <div key={name} className={classNames(styles.filter, styles.name, styles.added)}>
          <SortableName name={name} label={label} view={props.view} onChange={props.onChange} />
        </div>
      ))}
    </Card>
  )
}
