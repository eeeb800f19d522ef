import { Accessibility, Feedback, PointerActivationConstraints, PointerSensor, StyleInjector } from '@dnd-kit/dom'
import { DragDropProvider } from '@dnd-kit/react'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { fitted, type Lists, placed, placeOf, stepped } from '../../lib/input/arrange.ts'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import { ScrollLimit } from './scroll-limit.ts'
import { type Scope, SortableScope } from './sortable-scope.ts'
import { usePointerDrag } from './use-pointer-drag.ts'
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

/** The item that is picked up, and the order that dropping it now would result in. */
interface Hand {
  id: number
  by: 'keys' | 'pointer'
  to: Lists
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
/** Lists whose items can be reordered, and moved between lists, by mouse, touch and keyboard. Load it lazily: it is 37 kB. */
export function Sortable<Names extends string>({ lists, nameOf, listNames, readAt, onChange, children }: SortableProps<Names>) {
  const [hand, setHand] = useState<Hand | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const announced = useRef(0)
  const announce = (words: string) => {
    announced.current += 1
    setAnnouncement(words)
  }
  const prefix = useId()
  const [settled, take] = useSettled(lists, onChange as (to: Lists) => unknown, readAt)
  const shown = fitted(hand?.to ?? settled, lists)

  const positionText = (order: Lists, id: number) => {
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
  const lift = (id: number, by: Hand['by']) => {
    setHand({ id, by, to: shown })
    announce(`Picked up ${nameOf(id)}, ${positionText(shown, id)}.`)
  }
  const carry = (id: number, by: Hand['by'], to: Lists) => {
    setHand({ id, by, to })
    announce(`${nameOf(id)}: ${positionText(to, id)}.`)
  }
  const drop = (id: number, to: Lists) => {
    setHand(null)
    const dropped = () => announce(`Dropped ${nameOf(id)}, ${positionText(to, id)}.`)
    const answer = take(to)
    if (!answer) return dropped()
    announce('')
    const last = announced.current
    // Not while the next item, or the same one again, is in hand.
    answer.then(
      () => announced.current === last && dropped(),
      () => announceBack(id),
    )
  }
  const announceBack = (id: number) => announce(`${nameOf(id)} is back where it was.`)
  const putBack = (id: number) => {
    setHand(null)
    announceBack(id)
  }

  const held = hand?.by === 'keys' ? hand.id : undefined
  const onKeyDown = (event: KeyboardEvent, id: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey || hand?.by === 'pointer') return
    if (event.key === ' ' || event.key === 'Enter') {
      // Otherwise the button would open its menu.
      event.preventDefault()
      if (event.repeat) return
      if (held !== id) return lift(id, 'keys')
      followed.current = id
      return drop(id, shown)
    }
    if (held !== id) return
    if (event.key === 'Escape') {
      event.preventDefault()
      // Not meant for the dialog around it.
      event.stopPropagation()
      followed.current = id
      return putBack(id)
    }
    if (!event.key.startsWith('Arrow')) return
    event.preventDefault()
    event.stopPropagation()
    const step = stepped(shown, id, event.key)
    if (!step) return
    followed.current = id
    carry(id, 'keys', placed(shown, id, step))
  }
  const pointerDrag = usePointerDrag({
    prefix,
    lists,
    shown,
    lift: id => lift(id, 'pointer'),
    carry: (id, to) => carry(id, 'pointer', to),
    drop,
    putBack,
    letGo: () => setHand(null),
  })
  const scope: Scope = {
    prefix,
    hasOneList: Object.keys(lists).length === 1,
    held,
    count: list => shown[list]?.length ?? 0,
    put: (id, list, index) => {
      followed.current = id
      drop(id, placed(shown, id, { list, index }))
    },
    drop: () => hand && drop(hand.id, shown),
    putBack: () => hand && putBack(hand.id),
    onKeyDown,
  }
  return (
    <DragDropProvider sensors={sensors} plugins={plugins} {...pointerDrag}>
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
