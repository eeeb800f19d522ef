import { defaultCollisionDetection, pointerIntersection } from '@dnd-kit/collision'
import { createContext, type KeyboardEvent } from 'react'

export interface Scope {
  prefix: string
  hasOneList: boolean
  /** The item picked up by keyboard. */
  held: number | undefined
  /** The number of items in a list. */
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
/** With several lists only the pointer's position counts; within a single list the library's default also considers neighbors. */
export const detector = (hasOneList: boolean) => (hasOneList ? defaultCollisionDetection : pointerIntersection)
