import { useSyncExternalStore } from 'react'
import { createListeners } from '../state/listeners.ts'

/** The usual size of a browser's font, for which the design gives its pixels. */
const usual = 16

/** A length of the design, in pixels, as CSS that grows with the browser's font: `rem(36)` is `2.25rem`. */
export function rem(pixels: number) {
  return `${pixels / usual}rem`
}

function readFont() {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || usual
}
let font = readFont()

/** A length of the design in pixels of the screen, at the present font: what is drawn with it is drawn again when `useFontSize` changes. */
export function scaled(pixels: number) {
  return Math.round((pixels * font) / usual)
}

const { subscribe, notify } = createListeners()
let probe: HTMLElement | undefined

function listen(changed: () => void) {
  if (!probe) {
    // No event says that the setting was changed; an element of its size changes with it.
    probe = document.createElement('div')
    probe.style.cssText = 'position: absolute; visibility: hidden; width: 1rem'
    document.body.append(probe)
    new ResizeObserver(() => {
      const now = readFont()
      if (now === font) return
      font = now
      notify()
    }).observe(probe)
  }
  return subscribe(changed)
}

/** The size of the browser's font. Renders again when the person changes it, so that what is `scaled` follows. */
export function useFontSize() {
  return useSyncExternalStore(listen, () => font)
}
