import type { DragDropProvider } from '@dnd-kit/react'
import { type ComponentProps, useRef } from 'react'
import { isSame } from '../../lib/forms/drafts/use-draft.ts'
import { fitted, type Lists, placed, placeOf } from '../../lib/input/arrange.ts'

interface Moves {
  /** Comes before an item's id in the id of its handle. */
  prefix: string
  lists: Lists
  shown: Lists
  lift: (id: number) => void
  carry: (id: number, to: Lists) => void
  drop: (id: number, to: Lists) => void
  putBack: (id: number) => void
  letGo: () => void
}

/** An item or a list. */
type Target = number | string
type Handlers = Required<Pick<ComponentProps<typeof DragDropProvider>, 'onDragStart' | 'onDragOver' | 'onDragEnd'>>

/** What the library reports, as moves of an item. */
export function usePointerDrag({ prefix, lists, shown, lift, carry, drop, putBack, letGo }: Moves): Handlers {
  // React renders after the pointer moves, so the current order, and what the item was over last, are kept in a ref.
  const dragged = useRef<{ order: Lists; over?: Target }>({ order: shown })
  const dragOver = (id: number, target: Target, y: number) => {
    const order = fitted(dragged.current.order, lists)
    dragged.current = { order, over: target }
    if (target === id) return
    const to = placed(
      order,
      id,
      placeAt(order, id, target, other => middleOf(document.getElementById(`${prefix}${other}`)) < y),
    )
    if (isSame(to, order)) return
    dragged.current = { order: to, over: target }
    carry(id, to)
  }
  return {
    onDragStart: ({ operation: { source } }) => {
      if (!source) return
      const id = Number(source.id)
      dragged.current = { order: shown, over: id }
      lift(id)
    },
    onDragOver: ({ operation: { source, target, position } }) => {
      if (source && target) dragOver(Number(source.id), target.id, position.current.y)
    },
    onDragEnd: ({ operation: { source }, nativeEvent, canceled }, manager) => {
      // Somebody else may have removed it meanwhile.
      if (!source) return letGo()
      const id = Number(source.id)
      if (canceled) return putBack(id)
      if (nativeEvent instanceof PointerEvent) {
        // A quick drop comes before the library has computed the target.
        const under = [...manager.registry.droppables].filter(one => one.id !== id && isIn(one.element, nativeEvent)).map(one => one.id)
        const target = under.find(one => typeof one === 'number') ?? under[0]
        if (target !== undefined && target !== dragged.current.over) dragOver(id, target, nativeEvent.clientY)
      }
      drop(id, fitted(dragged.current.order, lists))
    },
  }
}

/** Within a list the item takes the place of the one it is over, which makes way. In another list it goes below those above the pointer. */
function placeAt(order: Lists, id: number, target: Target, isAbove: (other: number) => boolean) {
  const over = typeof target === 'number' ? placeOf(order, target) : undefined
  const list = over ? over.list : String(target)
  if (over && placeOf(order, id)?.list === list) return over
  return { list, index: (order[list] ?? []).filter(other => other !== id && isAbove(other)).length }
}

function middleOf(element: HTMLElement | null) {
  const box = element?.getBoundingClientRect()
  return box ? box.top + box.height / 2 : 0
}

function isIn(element: Element | undefined, { clientX, clientY }: PointerEvent) {
  const box = element?.getBoundingClientRect()
  return box !== undefined && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom
}
