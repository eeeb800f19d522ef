import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { lastShown } from '../../../lib/navigation/list-walk.ts'
import { currentPage } from '../../../lib/navigation/navigation.ts'

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

/** The ticket that has the tab stop. It keeps the focus when it goes to another day, and gets it again when the person comes back. */
export function useCalendarFocus({ area, name, tickets, days, isLoading, onTurn }: CalendarFocusOptions) {
  const [back] = useState(() => (currentPage().how === 'pop' ? lastShown([name]) : undefined))
  const [chosen, choose] = useState(back)
  /** Gets the focus as soon as it is drawn; where its day has no room for it, the button for the others does. */
  const wanted = useRef<{ id: number | undefined; day?: string }>({ id: back })
  /** The key that turned to another month or week, and the days before that, while the calendar itself has the focus. */
  const turned = useRef<{ key: string; days: readonly string[] }>(undefined)
  const hasFocus = useRef(false)
  const isThere = tickets.some(({ id }) => id === chosen)
  const current = isThere ? chosen : tickets[0]?.id

  const linkOf = (id: number | undefined) => area.current?.querySelector<HTMLElement>(`[data-ticket="${id}"]`)
  const show = (link: HTMLElement) => {
    link.focus({ preventScroll: true })
    link.scrollIntoView({ block: 'nearest' })
  }
  const links = () => [...(area.current?.querySelectorAll<HTMLElement>('[data-ticket]') ?? [])]
  /** The nearest ticket on days that were not shown before. */
  const firstBeyond = ({ key, days: [first = '', ...rest] }: { key: string; days: readonly string[] }) => {
    if (isForward(key)) return links().find(link => dayOf(link) > (rest.at(-1) ?? first))
    const before = links().filter(link => dayOf(link) < first)
    const last = before.at(-1)
    return key === 'ArrowUp' ? last : before.find(link => dayOf(link) === dayOf(last))
  }
  useLayoutEffect(() => {
    const { id, day } = wanted.current
    const link = linkOf(id) ?? (day && area.current?.querySelector<HTMLElement>(`[data-more="${day}"]`))
    const beyond = turned.current && !isLoading ? firstBeyond(turned.current) : undefined
    if (beyond) {
      turned.current = undefined
      show(beyond)
    } else if (link) {
      wanted.current = { id: undefined }
      show(link)
    } else if (hasFocus.current && document.activeElement === document.body) {
      // Somebody else moved the ticket that had the focus.
      linkOf(current)?.focus({ preventScroll: true })
    }
  })

  /** Returns whether there is one. */
  const go = (to: HTMLElement | undefined) => {
    if (to) show(to)
    return to !== undefined
  }
  /** Shows the next month or week, with the focus on the calendar itself. Returns whether there is one. */
  const turn = (by: 1 | -1) => {
    const isTurned = onTurn(by)
    if (isTurned) area.current?.focus({ preventScroll: true })
    return isTurned
  }
  const step = (by: 1 | -1) => {
    const all = links()
    const at = all.findIndex(link => link.dataset.ticket === String(current))
    return go(chosen === undefined ? all[0] : all[at + by])
  }
  return {
    current,
    /** The person has chosen the current ticket; otherwise it is the first one. */
    isChosen: chosen !== undefined,
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
    focusWhenDrawn: (id: number, day: string) => {
      choose(id)
      wanted.current = { id, day }
    },
    /** The focus is on this ticket, or on something else within the calendar. */
    onFocus: (id: number | undefined) => {
      hasFocus.current = id !== undefined
      if (id !== undefined) choose(id)
    },
    onBlur: () => {
      hasFocus.current = false
      turned.current = undefined
    },
  }
}
