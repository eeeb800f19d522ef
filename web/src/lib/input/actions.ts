import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'

/** Something that a person can do on the screen as it is: by its keys, in a menu, from the palette. */
export interface Action {
  /** What it does, in the words of the screen. */
  label: string
  /** One key (`c`, `/`, `?`), two after each other (`g h`), or `Ctrl+S`, which is Cmd+S too and works while typing. */
  keys?: string
  /** Why it cannot be done at present. It is still listed, with the reason. */
  refused?: string | undefined
  /** Without it the action is only listed: the element that has the focus does it. */
  run?: (event?: KeyboardEvent) => void
  /** The palette has it before the others: it is about what is selected. */
  isFirst?: boolean
  /** Its keys work in a dialog too. */
  isEverywhere?: boolean
}

let active: Action[] = []
const listeners = new Set<() => void>()

function change(next: Action[]) {
  active = next
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
/** Every action of the screen; those of its innermost parts come last. */
export function useActiveActions(): readonly Action[] {
  return useSyncExternalStore(subscribe, () => active)
}

/** Registers actions while the component is mounted. */
export function useActions(actions: readonly Action[]) {
  const run = useEffectEvent((position: number, event?: KeyboardEvent) => actions[position]?.run?.(event))
  const described = JSON.stringify(actions.map(({ run: itsRun, ...action }) => ({ ...action, canRun: itsRun !== undefined })))
  // Before the first paint: who sees the screen can use its keys at once.
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

/** A page that does not come within this time, in milliseconds, is not waited for any longer. */
const patience = 5000
let awaited: { keys: string; pathname: string; until: number } | undefined

/** Runs the action of these keys as soon as the page at this address has it. */
export function runOnArrival(keys: string, pathname: string) {
  awaited = { keys, pathname, until: Date.now() + patience }
}
function runAwaited(actions: readonly Action[]) {
  if (!awaited || awaited.pathname !== window.location.pathname) return
  const found = actions.find(({ keys }) => keys === awaited?.keys)
  if (!found) return
  const isInTime = Date.now() < awaited.until
  awaited = undefined
  // After the page is in its place.
  if (isInTime && !found.refused) setTimeout(() => found.run?.())
}

// ── Keys ────────────────────────────────────────────────────────────────────

const stored = 'tessera.shortcuts'
const prefixTimeout = 1000
let prefix = { key: '', at: 0 }

function isTyping(target: EventTarget | null) {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
}
/** A dialog or an open menu takes the keys for itself. */
export function isCovered() {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null
}

/** Many keyboards have the brackets on AltGr, which Windows reports as Ctrl and Alt, or on a Mac's Option. */
function isForOther(event: KeyboardEvent) {
  if (event.getModifierState('AltGraph')) return false
  return event.ctrlKey || event.metaKey || (event.altKey && /^[\p{L}\d]$|^\w{2,}$/u.test(event.key))
}

/** The action that came last belongs to the innermost screen. */
function actionOf(wanted: string) {
  return active.findLast(({ keys, run, refused }) => run && !refused && keys === wanted)
}

/** Runs the action of these keys, for those who have none to press. */
export function runKeys(keys: string) {
  actionOf(keys)?.run?.()
}

function onChord(event: KeyboardEvent) {
  const isControl = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  const match = isControl && actionOf(`Ctrl+${event.key.toUpperCase()}`)
  if (!match) return
  // Under a dialog most do nothing, but the browser does not save the page either.
  event.preventDefault()
  if (match.isEverywhere || !isCovered()) match.run?.(event)
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  if (isForOther(event)) return onChord(event)
  if (!shortcutsEnabled() || isTyping(event.target) || isCovered()) return
  // Enter on a button or a link is theirs.
  if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.matches('a, button, [role=button]')) return
  const isFresh = event.timeStamp - prefix.at < prefixTimeout
  const pressed = isFresh && prefix.key ? `${prefix.key} ${event.key}` : event.key
  const match = actionOf(pressed) ?? actionOf(event.key)
  prefix = { key: match ? '' : event.key, at: event.timeStamp }
  if (!match) return
  event.preventDefault()
  match.run?.(event)
}
if (typeof document !== 'undefined') document.addEventListener('keydown', onKeyDown)

function shortcutsEnabled() {
  return localStorage.getItem(stored) !== 'off'
}
export function enableShortcuts(on: boolean) {
  if (on) localStorage.removeItem(stored)
  else localStorage.setItem(stored, 'off')
  change([...active])
}
/** Whether single-key shortcuts work; each person may switch them off in this browser (WCAG 2.1.4). */
export function useShortcutsEnabled() {
  return useSyncExternalStore(subscribe, shortcutsEnabled)
}
