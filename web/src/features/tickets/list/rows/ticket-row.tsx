import { messages, phaseName } from '@tessera/contract/messages'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { CSSProperties } from 'react'
import { BlockedMark, TrashedMark } from '../../../../components/ticket-mark/ticket-mark.tsx'
import { formatNumber } from '../../../../lib/display/format.ts'
import { useIsSelected } from '../../selection/selection.ts'
import { ColumnCell, type ShownColumn } from '../columns/column-cell.tsx'
import { hasChildren } from '../tree/rows.ts'
import { RowLabels } from './row-labels.tsx'

interface TicketRowProps {
  idProject: number
  rowKey: string
  ticket: QueriedTicket
  /** The columns that were added to the list. */
  added: readonly ShownColumn[]
  depth: number
  /** Whether its children are shown below it; undefined where they never are. */
  isOpen: boolean | undefined
  /** The row that has the tab stop of the tree. */
  isCurrent: boolean
  /** Counted over the whole list, header rows included. */
  position: number
  /** Initials of the signed-in person. */
  me: string
}

// Explicit roles: for some browsers, table elements laid out as grids are no longer a table.
export const row = { role: 'row' }
export const cell = { role: 'gridcell' }

/** On a phone a row of this depth has its level as a number, after fewer lines: there is no room for twenty. */
const deepFrom = 6
const guidesBeforeDepth = 4

/** One ticket of the list: plain elements only, because there may be thousands of rows. The list handles its clicks, keys and tooltips. */
export function TicketRow({ idProject, rowKey, ticket, added, depth, isOpen, isCurrent, position, me }: TicketRowProps) {
  const code = `${ticket.pcode}-${ticket.id}`
  const isParent = isOpen !== undefined && hasChildren(ticket)
  const isDeep = depth >= deepFrom
  const isSelected = useIsSelected(idProject, ticket.id)
  return (
    <tr
      {...row}
      data-key={rowKey}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={depth + 1}
      aria-rowindex={position}
      aria-selected={isSelected}
      {...(isParent && { 'aria-expanded': isOpen })}
    >
      <td {...cell} className="assigned">
        <input
          type="checkbox"
          data-select
          tabIndex={-1}
          // Short, because the row's own name begins with it.
          aria-label="Select"
          aria-description={code}
          checked={isSelected}
          readOnly
        />
        {ticket.UserAssigned === 1 && <AssignedMark me={me} />}
      </td>
      <td {...cell} className="tree">
        {(isParent || depth > 0) && (
          <span className="branch" style={{ '--level': depth + 1 } as CSSProperties}>
            {Array.from({ length: depth }, (_, level) => (
              <span key={level} className={isDeep && level >= guidesBeforeDepth ? 'guide deep' : 'guide'} />
            ))}
            {isDeep && (
              <span className="depth" aria-hidden>
                {depth + 1}
              </span>
            )}
            {isParent && (
              <button type="button" className="chevron" data-toggle tabIndex={-1} aria-label={`${isOpen ? 'Collapse' : 'Expand'} ${code}`}>
                <svg viewBox="0 0 24 24" aria-hidden>
                  <path d="M9 6l6 6-6 6" />
                </svg>
              </button>
            )}
          </span>
        )}
      </td>
      <td {...cell} className="id">
        <a href={`/view-ticket/${ticket.id}`} tabIndex={-1}>
          {code}
        </a>
      </td>
      <td {...cell} className="type">
        {ticket.Type}
      </td>
      <td {...cell} className="phase">
        {phaseName[ticket.Phase]}
      </td>
      <td {...cell} className="state" dir="auto">
        <span className="phase-mark" data-phase={ticket.Phase} aria-hidden />
        {ticket.State}
      </td>
      <td {...cell} className="title">
        <TitleOf ticket={ticket} hasLabels={!added.some(({ name }) => name === 'Labels')} />
      </td>
      <td {...cell} className="subordinates">
        {hasChildren(ticket) && <Subordinates ticket={ticket} />}
      </td>
      {added.map(column => (
        <td key={column.name} {...cell} className="value" data-label={column.label}>
          <ColumnCell column={column} ticket={ticket} />
        </td>
      ))}
    </tr>
  )
}

/** The title with its marks, and its labels unless they have a column; a title without marks is plain text. */
function TitleOf({ ticket, hasLabels }: { ticket: QueriedTicket; hasLabels: boolean }) {
  const { Title, Path, Blocked, Phase, Trashed } = ticket
  const Labels = hasLabels ? ticket.Labels : []
  const path = Path && Path.length > 0 && <span className="path">in {Path.map(step => step.Title).join(' › ')}</span>
  const isBlocked = Blocked === 1 && Phase !== 3 && !Trashed
  if (!isBlocked && !Trashed && Labels.length === 0)
    return (
      <>
        {Title}
        {path}
      </>
    )
  return (
    <span className="marked">
      <span className="words">{Title}</span>
      {isBlocked && <BlockedMark />}
      {Trashed && <TrashedMark />}
      {path}
      {Labels.length > 0 && <RowLabels labels={Labels} />}
    </span>
  )
}

function AssignedMark({ me }: { me: string }) {
  return (
    <span className="mark" role="img" aria-label={messages.assignedToYou} data-tip={messages.assignedToYou} data-tip-beyond="td.tree">
      {me}
    </span>
  )
}

function Subordinates({ ticket }: { ticket: QueriedTicket }) {
  const proposed = formatNumber(ticket.SubordinateProposedCount)
  const active = formatNumber(ticket.SubordinateActiveCount)
  const inactive = formatNumber(ticket.SubordinateInactiveCount)
  const words = `Child tickets: ${proposed} proposed, ${active} active, ${inactive} inactive`
  return (
    <span className="counts" role="img" aria-label={words} data-tip={words}>
      <b className="proposed">{proposed}</b> / <b className="active">{active}</b> / <b className="inactive">{inactive}</b>
    </span>
  )
}
