import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from '../../../components/button/button.tsx'
import { scaled } from '../../../lib/display/larger-font.ts'
import { usePrinting } from '../../../lib/display/sight/use-printing.ts'
import { hasModifier } from '../../../lib/input/keys/has-modifier.ts'
import { beginWalk } from '../../../lib/navigation/list-walk.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import { CarryWords } from '../moving/carry-words.tsx'
import { selectRange, toggleSelected, useSelection } from '../selection/selection.ts'
import styles from './board.module.css'
import { BoardBands } from './board-bands.tsx'
import { BoardHead } from './board-head.tsx'
import { cardPitch, cardsOf, columnWidth, isAt, type Layout, layOut, nextTo, type Stop, splitKey, stopOf } from './board-layout.ts'
import { type Place, slotOf } from './carrying/carry.ts'
import { MoveMenu } from './carrying/move-menu.tsx'
import { useCarry } from './carrying/use-carry.ts'
import type { useMoves } from './carrying/use-moves.ts'
import type { Board, Card, Cell, Column } from './data/board-data.ts'
import type { KeptBoard } from './data/kept-board.ts'
import lanesStyles from './large-lanes/large-lanes.module.css'
import { cellKey, type Foot, withFeet } from './large-lanes/shown-cells.ts'
import { useNextPages } from './large-lanes/use-next-pages.ts'
import { useBoardFocus } from './scroller/use-board-focus.ts'
import { useBoardKeys } from './scroller/use-board-keys.ts'
import { useSight } from './scroller/use-sight.ts'

interface BoardViewProps {
  idProject: number
  label: string
  group: string
  board: Board
  /** Another board is loading. */
  isStale: boolean
  moves: ReturnType<typeof useMoves>
  refused: string | undefined
  collapsed: KeptBoard
  onCollapse: (change: Partial<KeptBoard>) => void
  onMore: (columns: readonly Column[]) => void
}

/** On a phone this much of the next column is visible, in pixels of the design. */
const besideOnPhone = 44

export function BoardView(props: BoardViewProps) {
  const { idProject, label, group, board: loaded, isStale, moves, refused, collapsed, onCollapse, onMore } = props
  /** The card that was just dropped, or that would lose the focus: a large cell is shown as far as this one. */
  const [kept, keep] = useState<Stop>()
  const isPrinting = usePrinting()
  const { shown: board, feet } = useMemo(
    () => (isPrinting ? { shown: loaded, feet: new Map<string, Foot>() } : withFeet(loaded, collapsed.whole, kept)),
    [isPrinting, loaded, collapsed.whole, kept],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const { sight, height } = useSight(scroller)
  const [announcement, announce] = useState('')
  const keysId = useId()
  /** The key of the card whose menu is open, and the button that opened it. */
  const [menu, openMenu] = useState<{ key: string; anchor: { current: HTMLElement } }>()
  const moving = menu && cardOf(menu.key, loaded)
  // Somebody else moved the card.
  if (menu && !moving) openMenu(undefined)
  const name = `${idProject} ${group}`
  const { isOn } = useSelection(idProject)

  const isPhone = sight.width < scaled(600) + cardPitch()
  const width = sight.width - cardPitch()
  const wide = isPhone ? Math.max(scaled(240), width - scaled(besideOnPhone)) : columnWidth(board, collapsed, width)
  const resting = useMemo(() => layOut(board, wide, collapsed, undefined, feet), [board, wide, collapsed, feet])
  const layoutRef = useRef<Layout>(resting)
  const carry = useCarry({
    scroller,
    board,
    loaded,
    layout: layoutRef,
    group,
    moves,
    refused,
    announce,
    onLanded: (at, from) => land(at, from),
    onHeld: card => toggleSelected(idProject, card.id),
  })
  const { hand } = carry
  const slot = hand && slotOf(hand)
  const layout = slot ? layOut(board, wide, collapsed, slot, feet) : resting
  useLayoutEffect(() => {
    layoutRef.current = layout
  })

  const drawn = isPrinting ? { left: 0, top: 0, width: layout.width, height: layout.height } : sight
  const focus = useBoardFocus({ scroller, name, board, layout, margin: isPhone ? scaled(besideOnPhone) / 2 : scaled(12) })
  const { current } = focus
  // Others may move cards above it, or the person comes back to it.
  const leftOut = focus.leftOutOf(loaded)
  if (leftOut) keep(leftOut)
  const land = (at: Stop, from?: Place) => {
    keep(at)
    const to = from && collapsed.columns.has(at.column) ? nextTo(layout, from, at.id) : at
    if (to) focus.focusWhenDrawn(to)
  }
  // The slot that keys carry stays in sight.
  const revealSlot = useEffectEvent(() => {
    if (hand?.by !== 'keys' || !hand.to) return
    focus.reveal(
      hand.to.column,
      layout.bands.find(({ key }) => key === hand.to?.lane),
      slot?.index ?? hand.from.index,
    )
  })
  useEffect(() => revealSlot(), [hand])

  const waiting = useNextPages(loaded, layout, sight, onMore)

  const idsOf = (column: string) => [...new Set(cardsOf(layout, column).map(({ id }) => id))]
  const open = (at: Stop) => {
    focus.leave(at)
    beginWalk({ list: [name], tickets: idsOf(at.column), cursor: null, shown: at.id })
    void navigate(`/view-ticket/${at.id}`)
  }
  const goToward = useBoardKeys({ idProject, layout, focus, idsOf, open })
  const showWhole = (cell: Cell, { rest: [first], last }: Foot) => {
    keep(undefined)
    const whole = new Set(collapsed.whole)
    if (first) whole.add(cellKey(board, cell))
    else whole.delete(cellKey(board, cell))
    onCollapse({ whole })
    focus.focusWhenDrawn(stopOf(cell.column, first ?? last))
  }
  const onClick = (event: MouseEvent) => {
    const mover = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-move]') : null
    if (mover) return openMenu({ key: mover.dataset.move ?? '', anchor: { current: mover } })
    const at = cardAt(event.target, board)
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (event.shiftKey) selectRange(idProject, idsOf(at.column), at.card.id)
    else if (isOn && isPhone) toggleSelected(idProject, at.card.id)
    else open(stopOf(at.column, at.card))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = cardAt(event.target, board)
    if (!at || event.defaultPrevented) return
    if (!carry.onKeyDown(event, at.card, at.column)) {
      if (hasModifier(event) || !/^(Arrow|Home$|End$)/.test(event.key)) return
      goToward(event.key)
    }
    event.preventDefault()
    event.stopPropagation()
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
        const at = cardAt(event.target, board)
        if (at) carry.onPointerDown(event, at.element, at.card, at.column)
      }}
      onFocus={event => {
        const at = cardAt(event.target, board)
        focus.onFocus(at && stopOf(at.column, at.card))
      }}
      onBlur={event => {
        if (event.target.isConnected) focus.onBlur()
        if (hand?.by === 'keys' && event.target.isConnected && document.hasFocus()) carry.putBack()
      }}
      onKeyDown={onKeyDown}
    >
      <div
        className={styles.canvas}
        style={{ width: layout.width, height: layout.height, '--columns': layout.columns.length } as CSSProperties}
      >
        <BoardHead layout={layout} sight={drawn} hand={hand} collapsed={collapsed} onCollapse={onCollapse} />
        <BoardBands
          idProject={idProject}
          layout={layout}
          lanesBy={board.lanes?.by}
          sight={drawn}
          hand={hand}
          current={current}
          keysId={keysId}
          isPending={moves.isPending}
          isFixed={refused !== undefined}
          collapsed={collapsed}
          onCollapse={onCollapse}
          footOf={cell => feet.get(cellKey(board, cell))}
          onWhole={showWhole}
        />
      </div>
      {waiting.length > 0 && (
        <div className={lanesStyles.waiting}>
          <Button onClick={() => onMore(waiting)}>MORE LANES</Button>
        </div>
      )}
      {board.lanes && board.columns.some(({ cursor }) => cursor !== null) && (
        <p className={lanesStyles.unprinted}>There are more lanes. Scroll down to print them too.</p>
      )}
      <CarryWords keysId={keysId} hasMenu refused={refused} announcement={announcement} />
      {moving && (
        <MoveMenu
          {...moving}
          anchor={menu.anchor}
          board={loaded}
          moves={moves}
          announce={announce}
          onLanded={land}
          onClose={() => openMenu(undefined)}
        />
      )}
    </div>
  )
}

/** The card that an event on the board is about. */
function cardAt(target: EventTarget | null, board: Board): { element: HTMLElement; card: Card; column: string } | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-card]') : null
  const found = cardOf(element?.dataset.card, board)
  return element && found ? { element, ...found } : undefined
}

/** The card with this key, and its column. */
function cardOf(key = '', board: Board): { card: Card; column: string } | undefined {
  const { column, ...of } = splitKey(key)
  const card = board.columns.find(one => one.key === column)?.cards.find(one => isAt(of, one))
  return card && { card, column }
}
