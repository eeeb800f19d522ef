import { useMemo, useState } from 'react'
import { rem } from '../../../../lib/display/larger-font.ts'
import { hasChildren, type TicketRow } from '../tree/rows.ts'

interface Widths {
  /** In em: the widest code. */
  code: number
  /** In characters: the longest that a column shows. */
  type: number
  state: number
  /** Whether any row needs room for the mark, or for the chevron. */
  hasMark: boolean
  hasChildren: boolean
}
const narrowest: Widths = { code: 0, type: 0, state: 0, hasMark: false, hasChildren: false }

const count = (text: string, characters: RegExp) => text.match(characters)?.length ?? 0

/** How wide a code is in the page's font, in em: never less than that. */
function widthOfCode(code: string) {
  return code.length * 0.65 + count(code, /[A-Z]/g) * 0.11 + count(code, /[MWmw]/g) * 0.25
}

/** The maximum of the former widths and those that the rows need now. */
function widen(before: Widths, rows: readonly TicketRow[]) {
  const now = { ...before }
  for (const row of rows) {
    if (row.kind !== 'ticket') continue
    const { pcode, id, Type, State, UserAssigned } = row.ticket
    now.code = Math.max(now.code, widthOfCode(`${pcode}-${id}`))
    now.type = Math.max(now.type, Type.length)
    now.state = Math.max(now.state, State.length)
    now.hasMark ||= UserAssigned === 1
    now.hasChildren ||= hasChildren(row.ticket)
  }
  return now
}

/**
 * The widths of the list's columns, as custom properties: no more than is needed, so that the titles get the rest. They never shrink while the list is
 * open, or the columns would jump while somebody types a filter.
 */
export function useColumnWidths(rows: readonly TicketRow[], isFlat: boolean) {
  const [widest, setWidest] = useState(narrowest)
  const now = useMemo(() => widen(widest, rows), [widest, rows])
  if (JSON.stringify(now) !== JSON.stringify(widest)) setWidest(now)
  const deepest = useMemo(() => rows.reduce((depth, row) => Math.max(depth, row.depth), 0), [rows])
  return {
    '--code': now.code,
    '--type': now.type,
    '--state': now.state,
    '--marks': now.hasMark ? rem(24) : '0px',
    '--tree': !isFlat && (now.hasChildren || deepest > 0) ? rem(24 + 20 * deepest) : '0px',
  } as React.CSSProperties
}
