import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketTemplateList } from '@tessera/contract/projects/project-config'
import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { seldomStale } from '../../../lib/calls/live/seldom-stale.ts'
import { useMediaQuery } from '../../../lib/display/use-media-query.ts'
import { refuseKey, useActions } from '../../../lib/input/actions.ts'
import { hasModifier } from '../../../lib/input/keys/has-modifier.ts'
import type { useDateMoves } from '../dates/carrying/use-date-moves.ts'
import type { DateField } from '../dates/date-fields.ts'
import { type DatedTickets, dayOf } from '../dates/dated-tickets.ts'
import { dayName } from '../dates/days/day-names.ts'
import { useEditRefusal } from '../dates/use-edit-refusal.ts'
import { useOpening } from '../dates/use-opening.ts'
import type { TicketView } from '../list/view/ticket-view.ts'
import { CarryWords } from '../moving/carry-words.tsx'
import { typesWith } from '../new/use-ticket-type.ts'
import { byDay, type Day, listPath } from './calendar-data.ts'
import type { Sight } from './calendar-days.ts'
import styles from './drawing/calendar.module.css'
import { CalendarAgenda } from './drawing/calendar-agenda.tsx'
import { CalendarGrid } from './drawing/calendar-grid.tsx'
import { CalendarTicket } from './drawing/calendar-ticket.tsx'
import { useCalendarFocus } from './use-calendar-focus.ts'
import { useDayCarry } from './use-day-carry.ts'

const DayDialog = lazy(async () => (await import('./drawing/day-dialog.tsx')).DayDialog)
const NewTicketDialog = lazy(async () => (await import('../new/new-ticket-dialog.tsx')).NewTicketDialog)

interface CalendarViewProps {
  idProject: number
  view: TicketView
  label: string
  field: DateField
  sight: Sight
  days: readonly string[]
  today: string
  title: string
  /** Undefined while the first tickets are loading. */
  shown: DatedTickets | undefined
  isLoading: boolean
  moves: ReturnType<typeof useDateMoves>
  /** Why no ticket can be moved. */
  refused: string | undefined
  /** Shows the month or week before or after. Returns whether there is one. */
  onTurn: (by: 1 | -1) => boolean
}

const none: readonly QueriedTicket[] = []

export function CalendarView(props: CalendarViewProps) {
  const { idProject, view, label, field, sight, days, today, title, shown, isLoading, moves, refused, onTurn } = props
  const area = useRef<HTMLDivElement>(null)
  const [announcement, announce] = useState('')
  const [opened, openDay] = useState<string>()
  const [added, addOn] = useState<string>()
  const mayCreate = useEditRefusal(idProject, permission.createTickets) === undefined && !field.isArchived
  const types = useQuery({
    ...callQuery(getTicketTemplateList, typesWith(idProject, field.id)),
    enabled: mayCreate,
    staleTime: seldomStale,
  })
  const mayAdd = mayCreate && types.data !== undefined && types.data.length > 0
  const keysId = useId()
  const isPhone = useMediaQuery('(width < 37.5rem)')
  const tickets = shown?.tickets ?? none
  const ofDay = useMemo(() => byDay(tickets, field.key), [tickets, field.key])
  const all: Day[] = days.map(day => ({
    day,
    isToday: day === today,
    isBeside: sight.span === 'month' && day.slice(0, 7) !== sight.day.slice(0, 7),
    tickets: ofDay.get(day) ?? none,
    more: shown?.cutAt && day >= shown.cutAt ? listPath(idProject, view, field, day) : undefined,
  }))
  const inOrder = all.flatMap(day => day.tickets)
  const name = `calendar ${idProject}`
  const focus = useCalendarFocus({ area, name, tickets: inOrder, days, isLoading, onTurn })
  const carry = useDayCarry({
    fieldKey: field.key,
    days,
    tickets,
    isLoading,
    moves,
    refused,
    announce,
    onTurn: focus.turn,
    onDropped: focus.focusWhenDrawn,
  })
  const { hand } = carry

  const { open, ticketAt, onClick } = useOpening({ idProject, name, tickets: inOrder, focus })
  useActions([
    { keys: 'j', label: 'Next ticket', run: () => focus.step(1) },
    { keys: 'k', label: 'Previous ticket', run: () => focus.step(-1) },
    { keys: '↓ ↑ → ←', label: 'Move among the tickets of the calendar, and on to the next month or week' },
    ...(isPhone ? [] : [{ keys: 'Space', label: 'Lift the ticket, and drop it on another day' }]),
    { keys: 'Enter', label: 'Open the ticket' },
  ])
  const onKeyDown = (event: KeyboardEvent) => {
    // A ticket that keys carry may be in another month than the one that is shown.
    const ticket = ticketAt(event.target) ?? (hand?.by === 'keys' ? hand.ticket : undefined)
    if (event.defaultPrevented || !(ticket || focus.isTurned())) return
    const isCarried = ticket !== undefined && !isPhone && carry.onKeyDown(event, ticket, dayOf(ticket, field.key))
    if (!isCarried) {
      if (hasModifier(event) || !/^(Arrow|Home$|End$)/.test(event.key)) return
      moveFocus(event, ticket !== undefined)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const moveFocus = (event: KeyboardEvent, isOnTicket: boolean) => {
    const isArrow = event.key.startsWith('Arrow')
    const isThere = (isOnTicket || !isArrow) && focus.goToward(event.key)
    // A key that is held down stops at the edge.
    if (isThere || !isArrow || event.repeat) return
    if (!focus.turnToward(event.key)) refuseKey(event, 'The calendar ends here.')
  }
  const isLate = (ticket: QueriedTicket) => field.isDue && ticket.Phase !== 3 && dayOf(ticket, field.key) < today
  const ticketOf = (ticket: QueriedTicket, lines: 1 | 2 | 4) => (
    <CalendarTicket
      key={ticket.id}
      ticket={ticket}
      isLate={isLate(ticket)}
      isCurrent={ticket.id === focus.current}
      isLifted={ticket.id === hand?.ticket.id}
      isPending={moves.isPending(ticket.id)}
      lines={lines}
      keysId={keysId}
    />
  )
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div
        role="group"
        ref={area}
        tabIndex={-1}
        className={styles.area}
        aria-label={label}
        aria-busy={isLoading}
        onClick={onClick}
        onDragStart={event => event.preventDefault()}
        onPointerDown={event => {
          const ticket = ticketAt(event.target)
          if (ticket && !isPhone && !ticket.Trashed) carry.onPointerDown(event, ticket, dayOf(ticket, field.key))
        }}
        onFocus={event => focus.onFocus(ticketAt(event.target)?.id)}
        onBlur={event => {
          if (event.target.isConnected) focus.onBlur()
          const isLeft = event.target.isConnected && event.relatedTarget !== area.current && document.hasFocus()
          if (hand?.by === 'keys' && isLeft) carry.putBack()
        }}
        onKeyDown={onKeyDown}
      >
        {isPhone ? (
          <CalendarAgenda days={all} title={title} isLoading={shown === undefined} onAdd={mayAdd ? addOn : undefined} ticketOf={ticketOf} />
        ) : (
          <CalendarGrid
            label={title}
            span={sight.span}
            days={all}
            isLoading={shown === undefined}
            target={hand?.to === hand?.from ? undefined : hand?.to}
            onMore={openDay}
            onAdd={mayAdd ? addOn : undefined}
            ticketOf={ticketOf}
          />
        )}
        <CarryWords keysId={keysId} isPhone={isPhone} refused={refused} announcement={announcement} />
      </div>
      {added && <NewTicketDialog idProject={idProject} on={{ field, day: added }} onClose={() => addOn(undefined)} />}
      {opened && (
        <DayDialog
          title={dayName(opened)}
          tickets={ofDay.get(opened) ?? none}
          list={listPath(idProject, view, field, opened)}
          isLate={isLate}
          onOpen={open}
          onClose={() => openDay(undefined)}
        />
      )}
    </>
  )
}
