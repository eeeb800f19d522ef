import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../lib/display/format.ts'
import { folded } from '../../lib/forms/best-matches.ts'
import { PageLink } from '../../lib/navigation/page-link.tsx'
import { Button } from '../button/button.tsx'
import { hasFailed, type Load, LoadProblem } from '../empty-state/load-problem.tsx'
import { SearchIcon } from '../icons/icons.tsx'
import { Skeleton } from '../skeleton/skeleton.tsx'
import { TypedStatus } from '../visually-hidden/typed-status.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './row-list.module.css'

interface Row {
  id: number
  icon?: ReactNode
  text: string
  /** Below it, dimmed. */
  detail?: string | undefined
  /** Beside it, dimmed. */
  note?: string
}

interface RowListProps {
  /** Names the list for screen readers, and the search in it: "projects". */
  label: string
  rows: readonly Row[] | undefined
  /** What the rows come from; undefined if they are always there. */
  load?: Load
  /** Shown instead of an empty list. */
  empty: ReactNode
  /** Where a row leads; undefined for one that leads nowhere. */
  path?: (id: number) => string | undefined
  /** The action of a row; one with a path leads there after it. Without either it is plain text. */
  onOpen?: (id: number) => void
}

const searchableFrom = 9
const page = 50

/** Clickable rows: the first fifty, and 250 more at a time. With a search when there are many. */
export function RowList({ label, rows, load, empty, path, onOpen }: RowListProps) {
  const [search, setSearch] = useState('')
  const [shown, show] = useState(page)
  if (load && hasFailed(load)) return <LoadProblem of={[load]} />
  if (!rows) {
    return (
      <div className={styles.loading}>
        <VisuallyHidden role="status">Loading {label}</VisuallyHidden>
        {[70, 50, 60].map(width => (
          <Skeleton key={width} height={40} width={`${width}%`} />
        ))}
      </div>
    )
  }
  if (rows.length === 0) return empty
  const wanted = folded(search.trim())
  const matches = wanted ? rows.filter(({ text, detail = '', note = '' }) => folded(`${text} ${detail} ${note}`).includes(wanted)) : rows
  return (
    <>
      {rows.length >= searchableFrom && (
        <div className={styles.search}>
          <SearchIcon fontSize="small" />
          <input
            type="search"
            value={search}
            onChange={event => setSearch(event.target.value)}
            placeholder={`Search ${formatNumber(rows.length)} ${label}`}
            aria-label={`Search ${label}`}
          />
        </div>
      )}
      <ul aria-label={label} className={styles.list}>
        {matches.slice(0, shown).map(({ id, icon, text, detail, note }) => {
          const content = (
            <>
              {icon && <span className={styles.icon}>{icon}</span>}
              <span className={styles.text}>
                <span className={styles.name} title={text}>
                  {text}
                </span>
                {detail && <span className={styles.detail}>{detail}</span>}
              </span>
              {note && (
                <span className={styles.note} title={note}>
                  {note}
                </span>
              )}
            </>
          )
          return (
            <li key={id}>
              <RowFrame to={path?.(id)} onOpen={onOpen && (() => onOpen(id))}>
                {content}
              </RowFrame>
            </li>
          )
        })}
      </ul>
      <TypedStatus>{wanted !== '' && matches.length > 0 ? `${formatNumber(matches.length)} found` : ''}</TypedStatus>
      {matches.length === 0 && (
        <div role="status" className={styles.none}>
          Nothing here is called “{search.trim()}”.
        </div>
      )}
      {matches.length > shown && (
        <div className={styles.more}>
          <Button onClick={() => show(shown + 5 * page)}>SHOW MORE ({formatNumber(matches.length - shown)})</Button>
        </div>
      )}
    </>
  )
}

/** A link if it has an address, else a button if something opens it. */
function RowFrame({ to, onOpen, children }: { to: string | undefined; onOpen: (() => void) | undefined; children: ReactNode }) {
  if (to)
    return (
      <PageLink to={to} onClick={onOpen} className={styles.row}>
        {children}
      </PageLink>
    )
  if (!onOpen) return <div className={styles.row}>{children}</div>
  return (
    <button type="button" onClick={onOpen} className={styles.row}>
      {children}
    </button>
  )
}
