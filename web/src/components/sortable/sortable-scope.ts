import { defaultCollisionDetection, pointerIntersection } from '@dnd-kit/collision'
import { createContext, type KeyboardEvent } from 'react'

export interface Scope {
  prefix: string
  hasOneList: boolean
  /** What the keyboard has picked up. */
  held: number | undefined
  /** How many stand in a list. */
  count: (list: string) => number
  put: (id: number, list: string, index: number) => void
  drop: () => void
  putBack: () => void
  onKeyDown: (event: KeyboardEvent, id: number) => void
}
export const SortableScope = createContext<Scope>({
  prefix: '',
  hasOneList: true,
  held: undefined,
  count: () => 0,
  put: () => {},
  drop: () => {},
  putBack: () => {},
  onKeyDown: () => {},
})
/** Between lists the pointer alone says where; within one, an item also makes way for what is beside it. */
export const detector = (hasOneList: boolean) => (hasOneList ? defaultCollisionDetection : pointerIntersection)
