import { type MouseEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { useActions } from '../../../lib/input/actions.ts'
import { beginWalk, lastShown } from '../../../lib/navigation/list-walk.ts'
import { currentPage, navigate } from '../../../lib/navigation/navigation.ts'
import { useRowKeys } from '../list/rows/use-row-keys.ts'
import { clearSelection, selectRange, toggleSelected, useSelection } from '../selection/selection.ts'
import styles from './board.module.css'
import { BoardBands } from './board-bands.tsx'
import { BoardHead } from './board-head.tsx'
import {
  cardBeside,
  cardKey,
  cardPitch,
  cardsOf,
  cardTop,
  columnWidth,
  endingIn,
  headHeight,
  type Layout,
  laneOf,
  layOut,
  splitKey,
} from './board-layout.ts'
import { slotOf } from './carrying/carry.ts'
import { useCarry } from './carrying/use-carry.ts'
import type { useMoves } from './carrying/use-moves.ts'
import type { Board, Card, Column } from './data/board-data.ts'
import type { Collapsed } from './data/kept-board.ts'
import { useSight } from './use-sight.ts'

interface BoardViewProps {
  idProject: number
  label: string
  group: string
  board: Board
  /** Another board is loading. */
  isStale: boolean
  moves: ReturnType<typeof useMoves>
  refused: string | undefined
  collapsed: Collapsed
  onCollapse: (change: Partial<Collapsed>) => void
  onMore: (columns: readonly Column[]) => void
}

/** The card that has the tab stop, and how a board was left, to come back to. */
interface Stop {
  column: string
  id: number
}
const left = new Map<string, { stop: Stop; scrollLeft: number; scrollTop: number }>()

/** On a phone this much of the next column is visible, in px. */
const besideOnPhone = 44

export function BoardView(props: BoardViewProps) {
  const { idProject, label, group, board, isStale, moves, refused, collapsed, onCollapse, onMore } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { sight, height } = useSight(scroller)
  const [announcement, announce] = useState('')
  const keysId = useId()
  const name = `${idProject} ${group}`
  const [stop, setStop] = useState<Stop | undefined>(() => (currentPage().how === 'pop' ? left.get(name)?.stop : undefined))
  /** Gets the focus as soon as it is drawn. */
  const wanted = useRef<Stop>(undefined)
  const focused = useRef(false)
  const { isOn } = useSelection(idProject)

  const isPhone = sight.width < 600 + cardPitch
  const width = sight.width - cardPitch
  const wide = isPhone ? Math.max(240, width - besideOnPhone) : columnWidth(board, collapsed, width)
  const resting = useMemo(() => layOut(board, wide, collapsed, undefined), [board, wide, collapsed])
  const layoutRef = useRef<Layout>(resting)
  const carry = useCarry({
    scroller,
    board,
    layout: layoutRef,
    group,
    moves,
    refused,
    announce,
    onLanded: (column, id) => {
      setStop({ column, id })
      wanted.current = { column, id }
    },
    onHeld: card => toggleSelected(idProject, card.id),
  })
  const { hand } = carry
  const slot = hand && slotOf(hand)
  const layout = slot ? layOut(board, wide, collapsed, { column: slot.column, lane: hand.lane }) : resting
  useLayoutEffect(() => {
    layoutRef.current = layout
  })

  // ── Focus ─────────────────────────────────────────────────────────────────

  const isThere = (one: Stop | undefined) =>
    board.columns.some(({ key, cards }) => key === one?.column && cards.some(({ id }) => id === one?.id))
  const elsewhere = stop && board.columns.find(({ cards }) => cards.some(({ id }) => id === stop.id))
  const first = resting.columns.find(({ column, isCollapsed }) => !isCollapsed && column.cards.length > 0)?.column
  const current: Stop | undefined = isThere(stop)
    ? stop
    : stop && elsewhere
      ? { column: elsewhere.key, id: stop.id }
      : first?.cards[0] && { column: first.key, id: first.cards[0].id }
  const reveal = (column: string, band: Layout['bands'][number] | undefined, index: number) => {
    const element = scroller.current
    const placed = layout.columns.find(one => one.column.key === column)
    if (!element || !placed || !band) return
    const top = band.cellsTop + cardTop(index)
    const y = Math.min(top - headHeight - 8, Math.max(element.scrollTop, top + cardPitch - element.clientHeight))
    const margin = isPhone ? besideOnPhone / 2 : 12
    const x = Math.min(placed.left, Math.max(element.scrollLeft, placed.left + placed.width + margin - element.clientWidth))
    element.scrollTo({ left: x, top: y, behavior: 'instant' })
  }
  const go = (to: Stop) => {
    setStop(to)
    wanted.current = to
    const card = board.columns.find(({ key }) => key === to.column)?.cards.find(({ id }) => id === to.id)
    const band = layout.bands.find(({ key }) => key === '' || (card && key === laneOf(card)))
    const index = layout.columns.findIndex(({ column }) => column.key === to.column)
    reveal(to.column, band, band?.cells[index]?.findIndex(({ id }) => id === to.id) ?? 0)
  }
  const elementOf = (one: Stop | undefined) =>
    one && scroller.current?.querySelector<HTMLElement>(`[data-card=${JSON.stringify(cardKey(one))}]`)
  useLayoutEffect(() => {
    if (wanted.current) {
      const element = elementOf(wanted.current)
      if (!element) return
      wanted.current = undefined
      element.focus({ preventScroll: true })
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    } else if (focused.current && document.activeElement === document.body) {
      // Somebody else moved the card that had the focus.
      elementOf(current)?.focus({ preventScroll: true })
    }
  })
  // The slot that keys carry stays in sight.
  const revealSlot = useEffectEvent(() => {
    if (hand?.by !== 'keys' || !hand.to) return
    reveal(
      hand.to.column,
      layout.bands.find(({ key }) => key === hand.lane),
      slot?.index ?? hand.from.index,
    )
  })
  useEffect(() => revealSlot(), [hand])
  useLayoutEffect(() => {
    const back = currentPage().how === 'pop' ? left.get(name) : undefined
    scroller.current?.scrollTo({ left: back?.scrollLeft ?? 0, top: back?.scrollTop ?? 0, behavior: 'instant' })
    if (back) wanted.current = { column: back.stop.column, id: lastShown([name]) ?? back.stop.id }
  }, [name])

  const ending = endingIn(layout, sight)
  const endings = ending.map(({ key, cursor }) => `${key} ${cursor}`).join()
  const load = useEffectEvent(() => onMore(ending))
  useEffect(() => {
    if (endings) load()
  }, [endings])

  // ── Keys and clicks ───────────────────────────────────────────────────────

  const idsOf = (column: string) => cardsOf(layout, column).map(({ id }) => id)
  const step = (by: 1 | -1) => {
    if (!current) return
    const cards = cardsOf(layout, current.column)
    const next = stop === undefined ? cards[0] : cards[cards.findIndex(({ id }) => id === current.id) + by]
    if (next) go({ column: current.column, id: next.id })
  }
  const stepAside = (by: 1 | -1) => {
    const to = current && cardBeside(layout, current, by)
    if (to) go(to)
  }
  const found = (target: EventTarget | null): { element: HTMLElement; card: Card; column: string } | undefined => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-card]') : null
    const { id, column } = splitKey(element?.dataset.card ?? '')
    const card = board.columns.find(({ key }) => key === column)?.cards.find(one => one.id === id)
    return element && card ? { element, card, column } : undefined
  }
  useRowKeys(stop && current?.id, () => current && open(current), false)
  useActions([
    { keys: 'j', label: 'Next ticket', run: () => step(1) },
    { keys: 'k', label: 'Previous ticket', run: () => step(-1) },
    { keys: '↓ ↑ → ←', label: 'Move among the tickets of the board' },
    { keys: 'Space', label: 'Lift the ticket, and drop it again' },
    { keys: 'Enter', label: 'Open the ticket' },
    ...(isOn ? [{ keys: 'Escape', label: 'Select nothing', run: () => clearSelection(idProject) }] : []),
    { keys: 'x', label: 'Select the ticket', run: () => current && toggleSelected(idProject, current.id) },
    {
      keys: 'X',
      label: 'Select all tickets up to this one',
      run: () => current && selectRange(idProject, idsOf(current.column), current.id),
    },
  ])
  const open = ({ column, id }: Stop) => {
    const { scrollLeft = 0, scrollTop = 0 } = scroller.current ?? {}
    left.set(name, { stop: { column, id }, scrollLeft, scrollTop })
    beginWalk({ list: [name], tickets: idsOf(column), cursor: null, shown: id })
    void navigate(`/view-ticket/${id}`)
  }
  const onClick = (event: MouseEvent) => {
    const at = found(event.target)
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (event.shiftKey) selectRange(idProject, idsOf(at.column), at.card.id)
    else if (isOn && isPhone) toggleSelected(idProject, at.card.id)
    else open({ column: at.column, id: at.card.id })
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div
      role="group"
      ref={scroller}
      aria-label={label}
      className={styles.scroller}
      style={{ height }}
      data-carrying={hand ? '' : undefined}
      data-stale={isStale || undefined}
      onClick={onClick}
      onDragStart={event => event.preventDefault()}
      onPointerDown={event => {
        const at = found(event.target)
        if (at) carry.onPointerDown(event, at.element, at.card, at.column)
      }}
      onFocus={event => {
        const at = found(event.target)
        focused.current = at !== undefined
        if (at) setStop({ column: at.column, id: at.card.id })
      }}
      onBlur={event => {
        if (event.target.isConnected) focused.current = false
        if (hand?.by === 'keys' && event.target.isConnected && document.hasFocus()) carry.putBack()
      }}
      onKeyDown={event => {
        const at = found(event.target)
        if (!at || event.defaultPrevented) return
        const act = () => {
          if (carry.onKeyDown(event, at.card, at.column)) return true
          if (event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) return false
          const cards = cardsOf(layout, at.column)
          if (event.key === 'ArrowDown') step(1)
          else if (event.key === 'ArrowUp') step(-1)
          else if (event.key === 'ArrowRight') stepAside(1)
          else if (event.key === 'ArrowLeft') stepAside(-1)
          else if (event.key === 'Home' && cards[0]) go({ column: at.column, id: cards[0].id })
          else if (event.key === 'End' && cards.length > 0) go({ column: at.column, id: cards.at(-1)?.id ?? 0 })
          else return false
          return true
        }
        if (act()) {
          event.preventDefault()
          event.stopPropagation()
        }
      }}
    >
      <div className={styles.canvas} style={{ width: layout.width, height: layout.height }}>
        <BoardHead layout={layout} sight={sight} hand={hand} collapsed={collapsed} onCollapse={onCollapse} />
        <BoardBands
          idProject={idProject}
          layout={layout}
          sight={sight}
          hand={hand}
          current={current}
          keysId={keysId}
          isPending={moves.isPending}
          collapsed={collapsed}
          onCollapse={onCollapse}
        />
      </div>
      <span id={keysId} hidden>
        {refused ?? 'Press space to lift, the arrow keys to carry, space again to drop, escape to put back.'}
      </span>
      <VisuallyHidden aria-live="assertive" aria-atomic>
        {announcement}
      </VisuallyHidden>
    </div>
  )
}
