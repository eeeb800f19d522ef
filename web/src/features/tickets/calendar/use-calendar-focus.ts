import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useTicketFocus } from '../dates/use-ticket-focus.ts'

interface CalendarFocusOptions {
  area: RefObject<HTMLElement | null>
  name: string
  tickets: readonly { id: number }[]
  days: readonly string[]
  isLoading: boolean
  /** Shows the month or week before or after. Returns whether there is one. */
  onTurn: (by: 1 | -1) => boolean
}

const dayOf = (link: HTMLElement | null | undefined) => link?.closest<HTMLElement>('[data-day]')?.dataset.day ?? ''
const isForward = (key: string) => key === 'ArrowRight' || key === 'ArrowDown'

/** The focus of a calendar goes from ticket to ticket and from day to day, also to those of another month or week. */
export function useCalendarFocus({ area, name, tickets, days, isLoading, onTurn }: CalendarFocusOptions) {
  const focus = useTicketFocus(area, name, tickets)
  const { current, linkOf, links, show, go, step } = focus
  /** The key that turned to another month or week, and the days before that, while the calendar itself has the focus. */
  const turned = useRef<{ key: string; days: readonly string[] }>(undefined)

  /** The nearest ticket on days that were not shown before. */
  const firstBeyond = ({ key, days: [first = '', ...rest] }: { key: string; days: readonly string[] }) => {
    if (isForward(key)) return links().find(link => dayOf(link) > (rest.at(-1) ?? first))
    const before = links().filter(link => dayOf(link) < first)
    const last = before.at(-1)
    return key === 'ArrowUp' ? last : before.find(link => dayOf(link) === dayOf(last))
  }
  useLayoutEffect(() => {
    const beyond = turned.current && !isLoading ? firstBeyond(turned.current) : undefined
    if (!beyond) return
    turned.current = undefined
    show(beyond)
  })

  /** Shows the next month or week, with the focus on the calendar itself. Returns whether there is one. */
  const turn = (by: 1 | -1) => {
    const isTurned = onTurn(by)
    if (isTurned) area.current?.focus({ preventScroll: true })
    return isTurned
  }
  return {
    current,
    isChosen: focus.isChosen,
    step,
    /** Up and down go from ticket to ticket, left and right from day to day. Returns whether there was one. */
    goToward: (key: string) => {
      const all = links()
      if (key === 'ArrowDown' || key === 'ArrowUp') return step(key === 'ArrowDown' ? 1 : -1)
      if (key === 'Home' || key === 'End') return go(all.at(key === 'Home' ? 0 : -1))
      const here = dayOf(linkOf(current))
      const used = [...new Set(all.map(dayOf))]
      const day = used[used.indexOf(here) + (key === 'ArrowRight' ? 1 : -1)]
      return go(all.find(link => day !== undefined && dayOf(link) === day))
    },
    turn,
    /** The same, and goes to the nearest ticket there. */
    turnToward: (key: string) => {
      const isTurned = turn(isForward(key) ? 1 : -1)
      if (isTurned) turned.current = { key, days }
      return isTurned
    },
    /** The calendar itself has the focus, because no ticket on that side is drawn yet. */
    isTurned: () => turned.current !== undefined,
    /** Where its day has no room for the ticket, the button for the others gets the focus. */
    focusWhenDrawn: (id: number, day: string) => focus.focusWhenDrawn(id, `[data-more="${day}"]`),
    onFocus: focus.onFocus,
    onBlur: () => {
      focus.onBlur()
      turned.current = undefined
    },
  }
}
