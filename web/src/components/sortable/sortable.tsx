import { Accessibility, Feedback, PointerActivationConstraints, PointerSensor, StyleInjector } from '@dnd-kit/dom'
import { DragDropProvider } from '@dnd-kit/react'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { isSame } from '../../lib/forms/drafts/use-draft.ts'
import { fitted, type Lists, placed, placeOf, stepped } from '../../lib/input/arrange.ts'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import { ScrollLimit } from './scroll-limit.ts'
import { type Scope, SortableScope } from './sortable-scope.ts'
import { useSettled } from './use-settled.ts'

interface SortableProps<Names extends string> {
  /** Ids in order, by list; an id is in one list at a time. */
  lists: Record<Names, number[]>
  /** What screen readers call an item. */
  nameOf: (id: number) => string
  /** What they call a list, where there is more than one. */
  listNames?: Record<Names, string>
  /** When the lists were last read from where `onChange` stores them, in milliseconds since 1970. */
  readAt?: number
  /** Takes the new order after a drop; a promise that rejects puts everything back. */
  onChange: (lists: Record<Names, number[]>) => unknown
  children: (lists: Record<Names, number[]>) => ReactNode
}

// The keyboard does not go through the library (docs/decisions/033).
const sensors = [
  PointerSensor.configure({
    activationConstraints: [new PointerActivationConstraints.Distance({ value: 5 })],
    // A mouse drags an item by its text as well. A finger needs the handle, because elsewhere it scrolls.
    activatorElements: ({ element }) => [element],
    preventActivation: ({ target, pointerType }, { handle }) =>
      target instanceof Element &&
      !handle?.contains(target) &&
      (pointerType !== 'mouse' || target.closest('input, textarea, label, a, button:not(.row-button)') !== null),
  }),
]
function plugins<Plugin>(defaults: Plugin[]) {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content
  return [
    ...defaults.filter(plugin => plugin !== Accessibility && plugin !== Feedback),
    ScrollLimit,
    // While a drop glides into its place the next drag would not begin.
    Feedback.configure({ dropAnimation: null }),
    ...(nonce ? [StyleInjector.configure({ nonce })] : []),
  ]
}
function middleOf(element: HTMLElement | null) {
  const box = element?.getBoundingClientRect()
  return box ? box.top + box.height / 2 : 0
}

function isIn(element: Element | undefined, { clientX, clientY }: PointerEvent) {
  const box = element?.getBoundingClientRect()
  return box !== undefined && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom
}

/** Lists whose items can be reordered, and moved between lists, by mouse, touch and keyboard. Load it lazily: it is 37 kB. */
export function Sortable<Names extends string>({ lists, nameOf, listNames, readAt, onChange, children }: SortableProps<Names>) {
  // The item that is picked up, and the order that dropping it now would result in.
  const [hand, setHand] = useState<{ id: number; by: 'keys' | 'pointer'; to: Lists } | null>(null)
  const [announcement, announce] = useState('')
  const prefix = useId()
  const [settled, take] = useSettled(lists, onChange as (to: Lists) => unknown, readAt)
  const shown = fitted(hand?.to ?? settled, lists)

  const place = (order: Lists, id: number) => {
    const { list, index } = placeOf(order, id) ?? { list: '', index: 0 }
    const name = (listNames as Record<string, string> | undefined)?.[list]
    return `position ${index + 1} of ${order[list]?.length ?? 0}${name ? ` in ${name}` : ''}`
  }

  // An item that moves to another list becomes a new element, and one that the browser moves loses the focus; the focus follows it.
  const followed = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (followed.current === undefined) return
    const handle = document.getElementById(`${prefix}${followed.current}`)
    followed.current = undefined
    handle?.focus()
    handle?.scrollIntoView({ block: 'nearest' })
  })
  const held = hand?.by === 'keys' ? hand.id : undefined
  const drop = () => {
    if (!hand) return
    setHand(null)
    announce(`Dropped ${nameOf(hand.id)}, ${place(shown, hand.id)}.`)
    take(shown)
  }
  const putBack = () => {
    if (!hand) return
    setHand(null)
    announce(`${nameOf(hand.id)} is back where it was.`)
  }
  const onKeyDown = (event: KeyboardEvent, id: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey || hand?.by === 'pointer') return
    if (event.key === ' ' || event.key === 'Enter') {
      // Otherwise the button would open its menu.
      event.preventDefault()
      if (event.repeat) return
      if (held === id) {
        followed.current = id
        return drop()
      }
      setHand({ id, by: 'keys', to: shown })
      return announce(`Picked up ${nameOf(id)}, ${place(shown, id)}.`)
    }
    if (held !== id) return
    if (event.key === 'Escape') {
      event.preventDefault()
      // Not meant for the dialog around it.
      event.stopPropagation()
      followed.current = id
      return putBack()
    }
    if (!event.key.startsWith('Arrow')) return
    event.preventDefault()
    event.stopPropagation()
    const step = stepped(shown, id, event.key)
    if (!step) return
    const to = placed(shown, id, step)
    followed.current = id
    setHand({ id, by: 'keys', to })
    announce(`${nameOf(id)}: ${place(to, id)}.`)
  }

  // React renders after the pointer moves, so the current order, and what the item was over last, are kept in refs.
  const dragged = useRef<{ order: Lists; over?: number | string }>({ order: shown })
  const carry = (id: number, target: number | string, y: number) => {
    const order = fitted(dragged.current.order, lists)
    dragged.current = { order, over: target }
    if (target === id) return
    const over = typeof target === 'number' ? placeOf(order, target) : undefined
    const list = over ? over.list : String(target)
    // Within a list it takes the place of the item it is over, which makes way. In another list it goes below the item above the pointer.
    const index =
      over && placeOf(order, id)?.list === list
        ? over.index
        : (order[list] ?? []).filter(other => other !== id && middleOf(document.getElementById(`${prefix}${other}`)) < y).length
    const to = placed(order, id, { list, index })
    if (isSame(to, order)) return
    dragged.current = { order: to, over: target }
    setHand({ id, by: 'pointer', to })
    announce(`${nameOf(id)}: ${place(to, id)}.`)
  }
  const scope: Scope = {
    prefix,
    hasOneList: Object.keys(lists).length === 1,
    held,
    count: list => shown[list]?.length ?? 0,
    put: (id, list, index) => {
      followed.current = id
      take(placed(shown, id, { list, index }))
    },
    drop,
    putBack,
    onKeyDown,
  }
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragStart={({ operation: { source } }) => {
        if (!source) return
        const id = Number(source.id)
        dragged.current = { order: shown, over: id }
        setHand({ id, by: 'pointer', to: shown })
        announce(`Picked up ${nameOf(id)}, ${place(shown, id)}.`)
      }}
      onDragOver={({ operation: { source, target, position } }) => {
        if (source && target) carry(Number(source.id), target.id, position.current.y)
      }}
      onDragEnd={({ operation: { source }, nativeEvent, canceled }, manager) => {
        const id = Number(source?.id)
        if (source && !canceled && nativeEvent instanceof PointerEvent) {
          // A quick drop comes before the library has computed the target.
          const under = [...manager.registry.droppables].filter(one => one.id !== id && isIn(one.element, nativeEvent)).map(one => one.id)
          const target = under.find(one => typeof one === 'number') ?? under[0]
          if (target !== undefined && target !== dragged.current.over) carry(id, target, nativeEvent.clientY)
        }
        setHand(null)
        // Somebody else may have removed it meanwhile.
        if (!source) return
        if (canceled) return announce(`${nameOf(id)} is back where it was.`)
        const to = fitted(dragged.current.order, lists)
        announce(`Dropped ${nameOf(id)}, ${place(to, id)}.`)
        take(to)
      }}
    >
      <SortableScope value={scope}>
        <span id={`${prefix}keys`} hidden>
          Press space to pick up, the arrow keys to move, space again to drop, escape to cancel.
        </span>
        <VisuallyHidden aria-live="assertive" aria-atomic>
          {announcement}
        </VisuallyHidden>
        {children(shown as Record<Names, number[]>)}
      </SortableScope>
    </DragDropProvider>
  )
}
