import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { lastShown } from '../../../../lib/navigation/list-walk.ts'
import { currentPage } from '../../../../lib/navigation/navigation.ts'
import { type Band, cardKey, cardPitch, cardTop, firstStop, isAt, type Layout, type Stop, sizes, stopOf } from '../board-layout.ts'
import type { Board } from '../data/board-data.ts'

/** How boards were left, to come back to. */
const left = new Map<string, { stop: Stop; scrollLeft: number; scrollTop: number }>()

/** The card in its cell or, if it was moved, in another one. */
function presentStop(stop: Stop, { columns }: Board): Stop | undefined {
  const own = columns.flatMap(({ key, cards }) => cards.filter(({ id }) => id === stop.id).map(card => stopOf(key, card)))
  const inColumn = own.filter(({ column }) => column === stop.column)
  return inColumn.find(({ lane }) => lane === stop.lane) ?? inColumn[0] ?? own.find(({ lane }) => lane === stop.lane) ?? own[0]
}
/** The card from which the board was left, or the one that was shown last since then, if the person comes back. */
function stopToReturn(name: string): Stop | undefined {
  const stop = currentPage().how === 'pop' ? left.get(name)?.stop : undefined
  return stop && { ...stop, id: lastShown([name]) ?? stop.id }
}

interface BoardFocusOptions {
  scroller: RefObject<HTMLElement | null>
  /** Identifies the board among those that were left. */
  name: string
  board: Board
  layout: Layout
  /** How much of the next column stays visible beside a revealed card, in px. */
  margin: number
}

/** The card that has the tab stop. It keeps the focus when it is moved, and gets it again when the person comes back. */
export function useBoardFocus({ scroller, name, board, layout, margin }: BoardFocusOptions) {
  const [stop, setStop] = useState(() => stopToReturn(name))
  /** Gets the focus as soon as it is drawn. */
  const wanted = useRef<Stop>(undefined)
  const hasFocus = useRef(false)

  const chosen = stop && presentStop(stop, board)
  const isFolded = chosen && layout.columns.some(({ column, isCollapsed }) => isCollapsed && column.key === chosen.column)
  const current = chosen && !isFolded ? chosen : firstStop(layout)
  const elementOf = (one: Stop | undefined) =>
    one && scroller.current?.querySelector<HTMLElement>(`[data-card=${JSON.stringify(cardKey(one))}]`)
  useLayoutEffect(() => {
    if (wanted.current) {
      const element = elementOf(wanted.current)
      if (!element) return
      wanted.current = undefined
      element.focus({ preventScroll: true })
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    } else if (hasFocus.current && document.activeElement === document.body) {
      // Somebody else moved the card that had the focus.
      elementOf(current)?.focus({ preventScroll: true })
    }
  })
  useLayoutEffect(() => {
    const back = currentPage().how === 'pop' ? left.get(name) : undefined
    scroller.current?.scrollTo({ left: back?.scrollLeft ?? 0, top: back?.scrollTop ?? 0, behavior: 'instant' })
    const to = stopToReturn(name)
    if (to) wanted.current = presentStop(to, board)
  }, [name])

  const reveal = (column: string, band: Band | undefined, index: number) => {
    const element = scroller.current
    const placed = layout.columns.find(one => one.column.key === column)
    if (!element || !placed || !band) return
    const top = band.cellsTop + cardTop(index)
    const y = Math.min(top - sizes.head - 8, Math.max(element.scrollTop, top + cardPitch() - element.clientHeight))
    const x = Math.min(placed.left, Math.max(element.scrollLeft, placed.left + placed.width + margin - element.clientWidth))
    element.scrollTo({ left: x, top: y, behavior: 'instant' })
  }
  const focusWhenDrawn = (to: Stop) => {
    setStop(to)
    wanted.current = to
  }
  return {
    current,
    /** The person has chosen the current card; otherwise it is the first one. */
    isChosen: stop !== undefined,
    /** The card that the person has chosen, if it is loaded but not on this board. */
    leftOutOf: (loaded: Board) => (stop && !chosen ? presentStop(stop, loaded) : undefined),
    /** Scrolls to a place of a column. */
    reveal,
    focusWhenDrawn,
    /** Scrolls to the card and focuses it. */
    go: (to: Stop) => {
      focusWhenDrawn(to)
      const band = layout.bands.find(({ key }) => key === to.lane)
      const index = layout.columns.findIndex(({ column }) => column.key === to.column)
      reveal(to.column, band, band?.cells[index]?.findIndex(card => isAt(to, card)) ?? 0)
    },
    /** Remembers how the board is left. */
    leave: (from: Stop) => {
      const { scrollLeft = 0, scrollTop = 0 } = scroller.current ?? {}
      left.set(name, { stop: from, scrollLeft, scrollTop })
    },
    /** The focus is on this card, or on something else within the board, which may go: a button, say. */
    onFocus: (at: Stop | undefined) => {
      hasFocus.current = true
      if (at) setStop(at)
    },
    onBlur: () => {
      hasFocus.current = false
    },
  }
}
