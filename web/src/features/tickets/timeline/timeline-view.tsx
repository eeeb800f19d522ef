import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { getLinksBetween } from '@tessera/contract/tickets/links'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { callQuery } from '../../../lib/calls/api.ts'
import { formatNumber } from '../../../lib/display/format.ts'
import { useMediaQuery } from '../../../lib/display/use-media-query.ts'
import { refuseKey, useActions } from '../../../lib/input/actions.ts'
import { hasModifier } from '../../../lib/input/keys/has-modifier.ts'
import type { useDateMoves } from '../dates/carrying/use-date-moves.ts'
import type { DatedTickets } from '../dates/dated-tickets.ts'
import toolStyles from '../dates/tools/date-tools.module.css'
import { useOpening } from '../dates/use-opening.ts'
import { useTicketFocus } from '../dates/use-ticket-focus.ts'
import { CarryWords } from '../moving/carry-words.tsx'
import { carriedTo, useBarCarry } from './carrying/use-bar-carry.ts'
import { barOf, inOrder, type Part, placeOf, type TwoFields } from './data/bar.ts'
import { conflictsOf, shownLinks } from './data/conflicts.ts'
import { TimelineAgenda } from './drawing/timeline-agenda.tsx'
import { TimelineChart } from './drawing/timeline-chart.tsx'
import { TimelineRow } from './drawing/timeline-row.tsx'
import type { Sight, Window } from './timeline-days.ts'

interface TimelineViewProps {
  idProject: number
  label: string
  fields: TwoFields
  sight: Sight
  window: Window
  today: string
  title: string
  /** Undefined while the first tickets are loading. */
  shown: DatedTickets | undefined
  /** What is shown may be that of other days. */
  isLoading: boolean
  moves: ReturnType<typeof useDateMoves>
  /** Why no ticket can be moved. */
  refused: string | undefined
}

/** The rows with their bars and links, and what a person does with them by pointer and keys. */
export function TimelineView(props: TimelineViewProps) {
  const { idProject, label, fields, sight, window, today, title, shown, isLoading, moves, refused } = props
  const area = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const [announcement, announce] = useState('')
  const keysId = useId()
  const isPhone = useMediaQuery('(width < 37.5rem)')
  // What was moved out of sight is no longer in the answer soon.
  const tickets = inOrder(shown?.tickets ?? [], fields).filter(ticket => placeOf(barOf(ticket, fields), window))
  const name = `timeline ${idProject}`
  const focus = useTicketFocus(area, name, tickets)
  const carry = useBarCarry({
    fields,
    window,
    tickets,
    scroller,
    canvas,
    moves,
    refused,
    announce,
    onDropped: id => focus.focusWhenDrawn(id),
  })
  const { hand } = carry
  // What is carried by keys stays in sight.
  useLayoutEffect(() => {
    if (hand?.by !== 'keys') return
    scroller.current?.querySelector(`[data-bar="${hand.ticket.id}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [hand])
  const links = useLinks(idProject, tickets)

  const rows = tickets.map(ticket => ({
    ticket,
    bar: hand?.to && ticket.id === hand.ticket.id ? hand.to : barOf(ticket, fields),
  }))
  const drawn = shownLinks(links, rows)
  const conflicts = conflictsOf(drawn)

  const { ticketAt, onClick } = useOpening({ idProject, name, tickets, focus })
  useActions([
    { keys: 'j', label: 'Next ticket', run: () => focus.step(1) },
    { keys: 'k', label: 'Previous ticket', run: () => focus.step(-1) },
    { keys: '↓ ↑', label: 'Move among the tickets of the timeline' },
    ...(isPhone
      ? []
      : [
          { keys: 'Space', label: 'Lift the ticket, and drop it on other days' },
          { keys: '→ ←', label: 'Carry the lifted ticket by a day, with Shift by a week' },
          { keys: 'S E B', label: 'Carry only the start of the lifted ticket, only its end, or both' },
        ]),
    { keys: 'Enter', label: 'Open the ticket' },
  ])
  const onKeyDown = (event: KeyboardEvent) => {
    const ticket = ticketAt(event.target)
    if (!ticket || event.defaultPrevented) return
    const isCarried = !isPhone && carry.onKeyDown(event, ticket, barOf(ticket, fields))
    if (!isCarried) {
      if (hasModifier(event) || !/^(ArrowUp|ArrowDown|Home|End)$/.test(event.key)) return
      if (!goToward(event.key)) refuseKey(event, 'There are no more tickets on this side of the timeline.')
    }
    event.preventDefault()
    event.stopPropagation()
  }
  /** Returns whether there was a ticket. */
  const goToward = (key: string) => {
    if (key === 'Home') return focus.go(focus.links().at(0))
    if (key === 'End') return focus.go(focus.links().at(-1))
    return focus.step(key === 'ArrowDown' ? 1 : -1)
  }
  return (
    <>
      {links.length === limits.linksBetween && (
        <p className={toolStyles.cut}>Only the first {formatNumber(links.length)} links are drawn.</p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div
        role="group"
        ref={area}
        aria-label={label}
        aria-busy={isLoading}
        onClick={onClick}
        onDragStart={event => event.preventDefault()}
        onPointerDown={event => {
          const ticket = ticketAt(event.target)
          const target = event.target instanceof HTMLElement ? event.target : undefined
          if (!ticket || ticket.Trashed || !target?.closest('[data-bar]')) return
          carry.onPointerDown(event, ticket, barOf(ticket, fields), (target.dataset.edge ?? 'bar') as Part)
        }}
        onFocus={event => focus.onFocus(ticketAt(event.target)?.id)}
        onBlur={event => {
          if (event.target.isConnected) focus.onBlur()
          if (hand?.by === 'keys' && event.target.isConnected && document.hasFocus()) carry.putBack()
        }}
        onKeyDown={onKeyDown}
      >
        {isPhone ? (
          <TimelineAgenda
            label={title}
            rows={rows}
            conflicts={conflicts}
            isLoading={isLoading && rows.length === 0}
            current={focus.current}
            keysId={keysId}
          />
        ) : (
          <TimelineChart
            label={title}
            sight={sight}
            window={window}
            today={today}
            links={drawn}
            places={rows.map(({ bar }) => placeOf(bar, window))}
            isLoading={isLoading && rows.length === 0}
            scroller={scroller}
            canvas={canvas}
          >
            {rows.map(({ ticket, bar }) => (
              <TimelineRow
                key={ticket.id}
                ticket={ticket}
                start={bar.start}
                end={bar.end}
                window={window}
                conflicts={conflicts.get(ticket.id)?.words.join('. ') ?? ''}
                isInConflict={conflicts.get(ticket.id)?.isOwn === true}
                isCurrent={ticket.id === focus.current}
                lifted={ticket.id === hand?.ticket.id ? carry.part : undefined}
                carriedTo={ticket.id === hand?.ticket.id && hand.by === 'keys' ? carriedTo(hand) : ''}
                isPending={moves.isPending(ticket.id)}
                isFixed={refused !== undefined || ticket.Trashed === 1}
                keysId={keysId}
              />
            ))}
          </TimelineChart>
        )}
        <CarryWords keysId={keysId} isPhone={isPhone} refused={refused} announcement={announcement} />
      </div>
    </>
  )
}

/** The links between the tickets; those known before while other ones are read. */
function useLinks(idProject: number, tickets: readonly QueriedTicket[]) {
  const Tickets = tickets.map(({ id }) => id).sort((one, other) => one - other)
  const query = useQuery({
    ...callQuery(getLinksBetween, { idProject, Tickets }),
    enabled: Tickets.length > 0,
    placeholderData: keepPreviousData,
  })
  return query.data ?? []
}
