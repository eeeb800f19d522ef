import { memo, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { formatNumber, initials } from '../../../../lib/display/format.ts'
import { rem } from '../../../../lib/display/larger-font.ts'
import { rowsBeyond, useRowsInSight } from '../../../../lib/display/sight/use-rows-in-sight.ts'
import { PageLink } from '../../../../lib/navigation/page-link.tsx'
import { useSession } from '../../../../lib/session/session.tsx'
import type { ShownColumn } from '../columns/column-cell.tsx'
import type { TicketRow as Row } from '../tree/rows.ts'
import { firstPosition } from '../tree/rows.ts'
import { reuseSlots } from './row-slots.ts'
import { cell, TicketRow as PlainRow, row as rowRole } from './ticket-row.tsx'

interface TicketRowsProps {
  idProject: number
  /** The table's body, which begins with the rows. */
  body: RefObject<HTMLElement | null>
  rows: readonly Row[]
  added: readonly ShownColumn[]
  /** How many there are with those. */
  columns: number
  rowHeight: number
  /** A flat list: children are not shown below their parents. */
  isFlat: boolean
  /** The row with the tab stop; by default the first one. */
  current: string | undefined
  /** Set to a function that scrolls to a row. */
  scrollTo: RefObject<(index: number) => void>
  /** Called when the rendered rows change: from `first` up to, but not including, `end`. */
  onDrawn: (first: number, end: number) => void
}

/** From this many rows on, only the visible ones are rendered. */
const windowFrom = 200

const TicketRow = memo(PlainRow)

/** The visible rows, with space above and below for the others. Scrolling re-renders only this component. */
export const TicketRows = memo(function TicketRows({
  idProject,
  body,
  rows,
  added,
  columns,
  rowHeight,
  isFlat,
  current,
  scrollTo,
  onDrawn,
}: TicketRowsProps) {
  const isWhole = rows.length < windowFrom
  const { first, end } = useRowsInSight(body, { count: rows.length, height: rowHeight, isWhole })
  useLayoutEffect(() => {
    scrollTo.current = index => {
      const at = (body.current?.getBoundingClientRect().top ?? 0) + index * rowHeight
      window.scrollBy(0, at - window.innerHeight / 2)
    }
  }, [scrollTo, body, rowHeight])
  useEffect(() => onDrawn(first, end))

  const me = initials(useSession().displayName)
  const shown = rows.slice(first, end)
  const firstTicket = rows[0]?.kind === 'group' ? 1 : 0
  const slots = useRef<ReadonlyMap<string, number>>(new Map())
  const keys = shown.flatMap(row => (row.kind === 'ticket' ? [row.key] : []))
  const taken = reuseSlots(slots.current, keys, current, 2 * rowsBeyond)
  useLayoutEffect(() => {
    slots.current = taken
  })
  return (
    <>
      {first > 0 && <tr aria-hidden style={{ height: first * rowHeight }} />}
      {shown.map((row, offset) => {
        const index = first + offset
        if (row.kind !== 'ticket') return <RemarkRow key={row.key} row={row} columns={columns} position={index + firstPosition} />
        const { key, ticket, depth, isOpen } = row
        const isCurrent = current === undefined ? index === firstTicket : current === key
        return (
          <TicketRow
            key={taken.get(key)}
            idProject={idProject}
            rowKey={key}
            ticket={ticket}
            added={added}
            depth={depth}
            isOpen={isFlat ? undefined : isOpen}
            isCurrent={isCurrent}
            position={index + firstPosition}
            me={me}
          />
        )
      })}
      {end < rows.length && <tr aria-hidden style={{ height: (rows.length - end) * rowHeight }} />}
    </>
  )
})

/** The heading of a group, or a message about children that are loading, failed, or are too many for the tree. */
function RemarkRow({ row, columns, position }: { row: Exclude<Row, { kind: 'ticket' }>; columns: number; position: number }) {
  return (
    <tr {...rowRole} className={row.kind === 'group' ? 'remark group' : 'remark'} aria-level={row.depth + 1} aria-rowindex={position}>
      <td
        {...cell}
        colSpan={columns}
        style={{ paddingLeft: `calc(var(--marks) + ${row.kind === 'group' ? 'var(--edge)' : rem(14 + row.depth * 16)})` }}
      >
        {row.kind === 'group' && (
          <>
            {row.phase && <span className="phase-mark" data-phase={row.phase} aria-hidden />}
            <b>{row.label}</b> {formatNumber(row.total)}
          </>
        )}
        {row.kind === 'loading' && 'Loading…'}
        {row.kind === 'failed' && (
          <>
            {row.message}{' '}
            <button type="button" onClick={row.retry}>
              TRY AGAIN
            </button>
          </>
        )}
        {row.kind === 'more' && (
          <PageLink to={`/view-ticket/${row.parent.id}`}>
            {formatNumber(row.hidden)} more: see them all on {row.parent.pcode}-{row.parent.id}
          </PageLink>
        )}
      </td>
    </tr>
  )
}
