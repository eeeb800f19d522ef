import { cleanup, configure } from '@testing-library/react'
import { flushSync } from 'react-dom'
import { afterEach, vi } from 'vitest'

// jsdom has none, and some libraries want it as soon as they are imported.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// jsdom's own only prints that it is not implemented.
window.scrollTo = () => undefined
// jsdom lays nothing out: no media query matches, nothing scrolls, and nothing is hidden.
window.matchMedia ??= (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })) as never
Element.prototype.scrollIntoView ??= () => undefined
Element.prototype.checkVisibility ??= () => true

let isInEvent = false
configure({
  // What is waited for comes; on a busy machine later than after a second.
  asyncUtilTimeout: 20_000,
  // What an event changes is drawn at once, but not by `act`, the default: a component that is loaded lazily meanwhile would never be drawn.
  eventWrapper(dispatch) {
    // An event that a listener dispatches is part of the outer one, which may be a blur while React moves the focus.
    if (isInEvent || window.event) return dispatch()
    isInEvent = true
    try {
      return flushSync(dispatch)
    } finally {
      isInEvent = false
    }
  },
})

// The test files of a worker share its window, which takes a quarter of the time: each begins with fresh modules and an empty window.
vi.resetModules()
vi.unstubAllGlobals()
vi.useRealTimers()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
delete window.firstCalls

declare global {
  interface Window {
    listenersOfFile?: AbortController
    addListener?: typeof addEventListener
  }
}
// The modules of the earlier file still listen to the window: one of them would lead a popstate to its own pages.
window.listenersOfFile?.abort()
const ofFile = new AbortController()
window.listenersOfFile = ofFile
window.addListener ??= window.addEventListener
const addListener = window.addListener
window.addEventListener = (
  type: string,
  listener: EventListenerOrEventListenerObject | null,
  options: AddEventListenerOptions | boolean = {},
) => {
  const given = typeof options === 'boolean' ? { capture: options } : options
  addListener.call(window, type, listener as EventListener, { signal: ofFile.signal, ...given })
}

// A test ends with its page and the page's timers: one that fires later finds no `window`, and fails the whole run.
const watchTimers = () => ({
  timeouts: vi.spyOn(globalThis, 'setTimeout').mock,
  intervals: vi.spyOn(globalThis, 'setInterval').mock,
  frames: vi.spyOn(globalThis, 'requestAnimationFrame').mock,
})
let timers = watchTimers()
// jsdom has one interval that runs the frames of the window. Without it the tests that follow would wait for a frame forever.
const jsdomFrameInterval = 1000 / 60

// Fakes end with the test too, whether it passed or not.
afterEach(() => {
  cleanup()
  // The next test's keys are not meant for a field that this one typed in and that is gone now.
  document.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  // Nor is its click the one that a drag of this test was to swallow: the timer that would end that is cleared below.
  document.dispatchEvent(new Event('click'))
  vi.useRealTimers()
  for (const { value } of timers.timeouts.results) clearTimeout(value)
  for (const { value } of timers.frames.results) cancelAnimationFrame(value)
  for (const [index, { value }] of timers.intervals.results.entries())
    if (timers.intervals.calls[index]?.[1] !== jsdomFrameInterval) clearInterval(value)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  timers = watchTimers()
})
