import { swallowClick } from './pointer/swallow-click.ts'

/** A mouse starts dragging after this distance, in pixels; a finger has to rest first, in milliseconds. */
const threshold = 5
const hold = 400

/** A press that may become a drag: with a mouse by moving, with a finger by resting. */
interface Press {
  /** The drag begins; returns the element that follows the pointer. */
  lift: () => HTMLElement
  /** The pointer is here now, or what is below it has moved. */
  over: (x: number, y: number) => void
  /** Called in each frame: scrolls if the pointer is near an edge; returns whether it did. */
  scroll: (x: number, y: number) => boolean
  /** The press has ended, with or without a drag. `isDropped`: the pointer was released during a drag. */
  end: (isDropped: boolean) => void
}

/**
 * Follows a press until the pointer is released, Escape is pressed, or it turns out to be something else. Returns a function that ends it, as Escape
 * does.
 */
export function followPress(down: PointerEvent, press: Press) {
  const ended = new AbortController()
  const { signal } = ended
  const isMouse = down.pointerType === 'mouse'
  let ghost: HTMLElement | undefined
  // A key or the browser may lead to another page, where nothing is dropped.
  const { pathname } = window.location
  const isElsewhere = () => window.location.pathname !== pathname
  let at = { x: down.clientX, y: down.clientY }

  const show = () => {
    if (!ghost) return
    // Below and after the pointer, but within the window.
    ghost.style.translate = `min(${at.x + 12}px, 100vw - 100% - 8px) min(${at.y + 12}px, 100vh - 100% - 8px)`
    press.over(at.x, at.y)
  }
  const begin = () => {
    ghost = press.lift()
    document.body.append(ghost)
    getSelection()?.removeAllRanges()
    document.body.toggleAttribute('data-dragging', true)
    scroll()
    show()
  }
  const timer = isMouse ? undefined : setTimeout(begin, hold)
  const finish = (isDropped = false) => {
    clearTimeout(timer)
    ended.abort()
    ghost?.remove()
    document.body.removeAttribute('data-dragging')
    press.end(isDropped)
  }
  const cancel = () => {
    if (signal.aborted) return
    finish()
    // The browser may take the press, as to scroll, and release nothing; the next press is another one.
    const next = new AbortController()
    document.addEventListener('pointerup', swallowClick, { signal: next.signal, once: true })
    document.addEventListener('pointerdown', () => next.abort(), { once: true, capture: true })
  }
  const scroll = () => {
    if (signal.aborted) return
    if (press.scroll(at.x, at.y)) show()
    requestAnimationFrame(scroll)
  }

  document.addEventListener(
    'pointermove',
    event => {
      if (event.pointerId !== down.pointerId) return
      if ((isMouse && event.buttons === 0) || isElsewhere()) return finish()
      at = { x: event.clientX, y: event.clientY }
      const distance = Math.hypot(at.x - down.clientX, at.y - down.clientY)
      if (ghost) show()
      else if (isMouse && distance > threshold) begin()
      // A finger that moves at once scrolls.
      else if (!isMouse && distance > 2 * threshold) finish()
    },
    { signal },
  )
  document.addEventListener(
    'pointerup',
    event => {
      if (event.pointerId !== down.pointerId) return
      const isDrag = ghost !== undefined
      if (isDrag) swallowClick()
      finish(isDrag && !isElsewhere())
    },
    { signal },
  )
  // Two fingers zoom, and drag nothing.
  document.addEventListener('pointerdown', event => event.pointerId !== down.pointerId && !ghost && finish(), { signal })
  // Another tab or a call: the pointer may be released without an event.
  document.addEventListener('visibilitychange', () => finish(), { signal })
  document.addEventListener('pointercancel', event => event.pointerId === down.pointerId && finish(), { signal })
  document.addEventListener(
    'keydown',
    event => {
      if (event.key !== 'Escape' || !ghost) return
      event.preventDefault()
      cancel()
    },
    { signal, capture: true },
  )
  const whileDragging = (event: Event) => ghost && event.preventDefault()
  document.addEventListener('touchmove', whileDragging, { signal, passive: false })
  for (const type of ['selectstart', 'contextmenu']) document.addEventListener(type, whileDragging, { signal })
  return cancel
}
