import { isTyping } from './keys/typing.ts'

/** As much of an `Action` as is needed here. */
interface Awaitable {
  keys?: string
  refused?: string | undefined
  run?: () => void
}

/** How long to wait for a page to load, in milliseconds. */
const patience = 5000
let awaited: { keys: string; pathname: string; until: number } | undefined

/** Runs the action of these keys as soon as the page at this address registers it, unless the person does something else before that. */
export function runOnArrival(keys: string, pathname: string) {
  awaited = { keys, pathname, until: Date.now() + patience }
}
/** Whatever the person does next takes the place of the action that has not run yet. */
function forgetAwaited(event: Event) {
  if (!(event instanceof KeyboardEvent && event.repeat)) awaited = undefined
}
/** Called with the actions that a component has registered. */
export function runAwaited(actions: readonly Awaitable[]) {
  if (!awaited || awaited.pathname !== window.location.pathname) return
  const found = actions.find(({ keys }) => keys === awaited?.keys)
  if (!found) return
  const isInTime = Date.now() < awaited.until
  awaited = undefined
  // After the page is mounted.
  if (isInTime && !found.refused && !isTyping(document.activeElement)) setTimeout(() => found.run?.())
}

window.addEventListener('keydown', forgetAwaited, true)
window.addEventListener('pointerdown', forgetAwaited, true)
