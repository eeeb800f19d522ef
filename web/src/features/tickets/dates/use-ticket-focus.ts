import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { lastShown } from '../../../lib/navigation/list-walk.ts'
import { currentPage } from '../../../lib/navigation/navigation.ts'

/**
 * The ticket that has the tab stop: an element with `data-ticket` within the area. It keeps the focus when it is drawn elsewhere, and gets it again when
 * the person comes back to the list of this name.
 */
export function useTicketFocus(area: RefObject<HTMLElement | null>, name: string, tickets: readonly { id: number }[]) {
  const [back] = useState(() => (currentPage().how === 'pop' ? lastShown([name]) : undefined))
  const [chosen, choose] = useState(back)
  /** Gets the focus as soon as it is drawn; where it is not drawn, the element that `instead` selects. */
  const wanted = useRef<{ id: number | undefined; instead?: string | undefined }>({ id: back })
  const hasFocus = useRef(false)
  const isThere = tickets.some(({ id }) => id === chosen)
  const current = isThere ? chosen : tickets[0]?.id

  const linkOf = (id: number | undefined) => area.current?.querySelector<HTMLElement>(`[data-ticket="${id}"]`)
  const links = () => [...(area.current?.querySelectorAll<HTMLElement>('[data-ticket]') ?? [])]
  const show = (link: HTMLElement) => {
    link.focus({ preventScroll: true })
    link.scrollIntoView({ block: 'nearest' })
  }
  useLayoutEffect(() => {
    const { id, instead } = wanted.current
    const link = linkOf(id) ?? (instead && area.current?.querySelector<HTMLElement>(instead))
    if (link) {
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
  return {
    current,
    /** The person has chosen the current ticket; otherwise it is the first one. */
    isChosen: chosen !== undefined,
    linkOf,
    links,
    show,
    go,
    step: (by: 1 | -1) => {
      const all = links()
      const at = all.findIndex(link => link.dataset.ticket === String(current))
      return go(chosen === undefined ? all[0] : all[at + by])
    },
    focusWhenDrawn: (id: number, instead?: string) => {
      choose(id)
      wanted.current = { id, instead }
    },
    /** The focus is on this ticket, or on something else within the area. */
    onFocus: (id: number | undefined) => {
      hasFocus.current = id !== undefined
      if (id !== undefined) choose(id)
    },
    onBlur: () => {
      hasFocus.current = false
    },
  }
}
