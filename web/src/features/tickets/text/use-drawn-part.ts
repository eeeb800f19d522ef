import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** More than a screen shows of a text, in characters: it takes a browser some 10 ms. */
const usual = 8_000
/** How many characters take as long to draw as an element. */
export const elementCost = 40

/** What may still be drawn, in characters; below 0 something was left out. */
export interface Room {
  left: number
}

/** Draws the beginning of a long text at once, so that the page answers, and the rest right after it. */
export function useDrawnPart(draw: (room: Room) => ReactNode, firstPart = usual): ReactNode {
  const [size, setSize] = useState(firstPart)
  const room = { left: size }
  const drawn = draw(room)
  const isCut = room.left < 0
  useEffect(() => {
    if (!isCut) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // The frame shows what is drawn by now.
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
