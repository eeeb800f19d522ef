import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useEffect, useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { TicketRow } from './ticket-row.tsx'
import type { TicketRow as Row } from './use-ticket-rows.ts'

interface TicketRowsProps {
  rows: readonly Row[]
  rowHeight: number
  /** Where the list begins on the page. */
  top: number
  /** The row with the tab stop; the first one without it. */
  current: string | undefined
  /** Gets what brings a row into sight. */
  scrollTo: RefObject<(index: number) => void>
  /** Other rows may be in the page now: from `first` to before `end`. */
  onDrawn: (first: number, end: number) => void
}

/** From this many rows on, only those in sight are in the page. */
const virtualFrom = 200

/** The rows in sight, with room above and below for the others. Scrolling draws this part alone. */
export const TicketRows = memo(function TicketRows({ rows, rowHeight, top, current, scrollTo, onDrawn }: TicketRowsProps) {
  const isVirtual = rows.length >= virtualFrom
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: top,
    useFlushSync: false,
    enabled: isVirtual,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  useLayoutEffect(() => {
    scrollTo.current = index => isVirtual && virtualizer.scrollToIndex(index)
  }, [scrollTo, virtualizer, isVirtual])

  const shown = isVirtual ? virtualizer.getVirtualItems() : undefined
  const first = shown ? (shown[0]?.index ?? 0) : 0
  const end = shown ? (shown.at(-1)?.index ?? -1) + 1 : rows.length
  useEffect(() => onDrawn(first, end))
  return (
    <>
      {first > 0 && <tr aria-hidden style={{ height: first * rowHeight }} />}
      {rows.slice(first, end).map((row, offset) => {
        const index = first + offset
        if (row.kind !== 'ticket') return <RemarkRow key={row.key} row={row} />
        const { key, ticket, depth, isOpen } = row
        const isCurrent = current === undefined ? index === 0 : current === key
        return <TicketRow key={key} rowKey={key} ticket={ticket} depth={depth} isOpen={isOpen} isCurrent={isCurrent} position={index + 3} />
      })}
      {end < rows.length && <tr aria-hidden style={{ height: (rows.length - end) * rowHeight }} />}
    </>
  )
})

/** What stands for children that are loading, failed, or are too many for the tree. */
function RemarkRow({ row }: { row: Exclude<Row, { kind: 'ticket' }> }) {
  return (
    <tr className="remark" aria-level={row.depth + 1}>
      <td colSpan={8} style={{ paddingLeft: 76 + row.depth * 20 }}>
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
          <Link to={`/view-ticket/${row.parent.id}`}>
            {formatNumber(row.hidden)} more: see them all on {row.parent.pcode}-{row.parent.id}
          </Link>
        )}
      </td>
    </tr>
  )
}
