import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../state/listeners.ts'
import { hasModifier } from './keys/has-modifier.ts'
import { shortcutsEnabled, useShortcutsEnabled } from './keys/shortcuts-enabled.ts'
import { isForOther, isTyping } from './keys/typing.ts'
import { runAwaited } from './run-on-arrival.ts'

/** Something that a person can do on the current screen: by its keys, in a menu, or from the palette. */
export interface Action {
  /** What it does, in the words of the screen. */
  label: string
  /** More words that find it in the palette. */
  words?: string
  /** One key (`c`, `/`, `?`), two after each other (`g h`), or `Ctrl+S`, which is Cmd+S too. That one and `F6` work while typing. */
  keys?: string
  /** Why it cannot be done at present. It is still listed, with the reason. */
  refused?: string | undefined
  /** Without it the action is only listed: the element that has the focus does it. */
  run?: (event?: KeyboardEvent) => void
  /** The palette lists it first, because it is about the selection. */
  isFirst?: boolean
  /** Its keys work in a dialog too. */
  isEverywhere?: boolean
}

let active: Action[] = []
const { subscribe, notify } = createListeners()

function change(next: Action[]) {
  active = next
  notify()
}
/** Every action of the screen; those of the innermost components come last. Keys that are switched off are left out. */
export function useActiveActions(): readonly Action[] {
  const actions = useSyncExternalStore(subscribe, () => active)
  if (useShortcutsEnabled()) return actions
  return actions.map(({ keys, ...action }) => (keys && (!action.run || isChord(keys)) ? { ...action, keys } : action))
}
/** Works while typing, and also when the single keys are switched off. */
const isChord = (keys: string) => /^(Ctrl\+|F\d)/.test(keys)

/** Registers actions while the component is mounted. */
export function useActions(actions: readonly Action[]) {
  const run = useEffectEvent((position: number, event?: KeyboardEvent) => actions[position]?.run?.(event))
  const described = JSON.stringify(actions.map(({ run: itsRun, ...action }) => ({ ...action, canRun: itsRun !== undefined })))
  // Before the first paint, so that keys work as soon as the screen is visible.
  useLayoutEffect(() => {
    const own = (JSON.parse(described) as (Action & { canRun: boolean })[]).map(({ canRun, ...action }, position) => ({
      ...action,
      ...(canRun && { run: (event?: KeyboardEvent) => run(position, event) }),
    }))
    change([...active, ...own])
    runAwaited(own)
    return () => change(active.filter(action => !own.includes(action)))
  }, [described])
}

const prefixTimeout = 1000
let prefix = { key: '', at: 0 }

/** Whether a dialog or an open menu covers the page and takes the keys. */
export function isCovered() {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null
}

function isFunctionKey(event: KeyboardEvent) {
  return /^F\d+$/.test(event.key) && !hasModifier(event)
}

/** The last registered action with these keys, which belongs to the innermost component. */
function actionOf(wanted: string) {
  return active.findLast(({ keys, run, refused }) => run && !refused && keys === wanted)
}

let tellWhy: ((reason: string) => void) | undefined
/** Where the reason is shown when a key's action is refused. */
export function onRefusedKey(tell: (reason: string) => void) {
  tellWhy = tell
}

/** Says why a key does nothing, once while it is held down. */
export function refuseKey({ repeat }: { repeat: boolean }, reason: string) {
  if (!repeat) tellWhy?.(reason)
}

/** Runs the action of these keys, for people without a keyboard. */
export function runKeys(keys: string) {
  actionOf(keys)?.run?.()
}

function onChord(event: KeyboardEvent) {
  const isControl = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  const match = isFunctionKey(event) ? actionOf(event.key) : isControl && actionOf(`Ctrl+${event.key.toUpperCase()}`)
  if (!match) return
  // Under a dialog most keys do nothing, but Ctrl+S must not make the browser save the page.
  event.preventDefault()
  if (match.isEverywhere || !isCovered()) match.run?.(event)
}

/** Letters as they are without Caps Lock: a capital only with Shift. */
function keyOf({ key, shiftKey }: KeyboardEvent) {
  if (!/^\p{L}$/u.test(key)) return key
  return shiftKey ? key.toUpperCase() : key.toLowerCase()
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  if (isForOther(event) || isFunctionKey(event)) return onChord(event)
  if (!shortcutsEnabled() || isTyping(event.target) || isCovered()) return
  // Enter on a button or a link activates that.
  if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.matches('a, button, [role=button]')) return
  const isFresh = event.timeStamp - prefix.at < prefixTimeout
  const key = keyOf(event)
  const pressed = isFresh && prefix.key ? `${prefix.key} ${key}` : key
  const match = actionOf(pressed) ?? actionOf(key)
  prefix = { key: match ? '' : key, at: event.timeStamp }
  if (!match) {
    const reason = active.findLast(({ keys }) => keys === key)?.refused
    if (reason) refuseKey(event, reason)
    return
  }
  event.preventDefault()
  match.run?.(event)
}

document.addEventListener('keydown', onKeyDown)
