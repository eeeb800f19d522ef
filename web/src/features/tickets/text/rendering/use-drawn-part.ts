import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** More than fits on a screen, in characters; takes a browser some 10 ms. */
const usual = 8_000
/** The cost of rendering an element, in characters. */
export const elementCost = 40

/** The remaining budget, in characters; below 0 something was left out. */
export interface Room {
  left: number
}

/** Renders the beginning of a long text at once, so that the page stays responsive, and the rest right after it. */
export function useDrawnPart(draw: (room: Room) => ReactNode, firstPart = usual): ReactNode {
  const [size, setSize] = useState(firstPart)
  const room = { left: size }
  const drawn = draw(room)
  const isCut = room.left < 0
  useEffect(() => {
    if (!isCut) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // Waits for the frame that shows the first part.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setSize(4 * size)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isCut, size])
  return drawn
}
