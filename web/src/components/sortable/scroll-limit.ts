import { Plugin } from '@dnd-kit/abstract'
import { type DragDropManager, Scroller } from '@dnd-kit/dom'

interface Span {
  top: number
  bottom: number
}

/** Room for the title bar, and for the last item to be seen whole, in pixels. */
const margin = 64

/** Whether the lists go on beyond the edge that the pointer is near. */
export function goesOn(lists: Span, view: Span, y: number) {
  return y > (view.top + view.bottom) / 2 ? lists.bottom > view.bottom - margin : lists.top < view.top + margin
}

/** What is dragged to an edge scrolls to the end of its lists: neither the rest of the page nor the page behind a dialog. */
export class ScrollLimit extends Plugin<DragDropManager> {
  constructor(manager: DragDropManager) {
    super(manager)
    const scroller = manager.registry.plugins.get(Scroller)
    if (!scroller) return
    const found = scroller.getScrollableElements
    scroller.getScrollableElements = () => {
      const elements = found()
      const { source, position } = manager.dragOperation
      if (!elements || !source?.element) return elements
      const boxes = [...manager.registry.droppables].flatMap(({ type, element }) =>
        type === 'list' && element ? [element.getBoundingClientRect()] : [],
      )
      const lists = { top: Math.min(...boxes.map(({ top }) => top)), bottom: Math.max(...boxes.map(({ bottom }) => bottom)) }
      const layer = source.element.closest('[data-layer]')
      const within = [...elements].filter(element => {
        const isPage = element === document.scrollingElement
        const view = isPage ? { top: 0, bottom: window.innerHeight } : element.getBoundingClientRect()
        return (!layer || layer.contains(element)) && goesOn(lists, view, position.current.y)
      })
      return new Set(within)
    }
  }
}
