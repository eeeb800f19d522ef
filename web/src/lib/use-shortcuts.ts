import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'

export interface Shortcut {
  /** One key (`c`, `/`, `?`), two after each other (`g h`), or `Ctrl+S`, which is Cmd+S too and works while typing. */
  keys: string
  label: string
  /** Without it the shortcut is only listed: the element that has the focus does it. */
  run?: (event: KeyboardEvent) => void
}

const stored = 'tessera.shortcuts'
const prefixTimeout = 1000
let active: Shortcut[] = []
let prefix = { key: '', at: 0 }
const listeners = new Set<() => void>()

function change(next: Shortcut[]) {
  active = next
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

function isTyping(target: EventTarget | null) {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
}
/** A dialog or an open menu takes the keys for itself. */
function isCovered() {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null
}

/** Many keyboards have the brackets on AltGr, which Windows reports as Ctrl and Alt, or on a Mac's Option. */
function isForOther(event: KeyboardEvent) {
  if (event.getModifierState('AltGraph')) return false
  return event.ctrlKey || event.metaKey || (event.altKey && /^[\p{L}\d]$|^\w{2,}$/u.test(event.key))
}

function onChord(event: KeyboardEvent) {
  const isControl = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  const match = isControl && active.findLast(({ keys }) => keys === `Ctrl+${event.key.toUpperCase()}`)
  if (!match) return
  // Under a dialog it does nothing, but the browser does not save the page either.
  event.preventDefault()
  if (!isCovered()) match.run?.(event)
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  if (isForOther(event)) return onChord(event)
  if (!shortcutsEnabled() || isTyping(event.target) || isCovered()) return
  // Enter on a button or a link is theirs.
  if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.matches('a, button, [role=button]')) return
  const isFresh = event.timeStamp - prefix.at < prefixTimeout
  const pressed = isFresh && prefix.key ? `${prefix.key} ${event.key}` : event.key
  // The shortcut that came last belongs to the innermost screen.
  const byKeys = (wanted: string) => active.findLast(({ keys, run }) => run && keys === wanted)
  const match = byKeys(pressed) ?? byKeys(event.key)
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
/** Every shortcut that works on the screen as it is. */
export function useActiveShortcuts() {
  return useSyncExternalStore(subscribe, () => active)
}

/** Makes shortcuts work while the component is mounted: single keys never while typing, none under a dialog. */
export function useShortcuts(shortcuts: Shortcut[]) {
  const run = useEffectEvent((position: number, event: KeyboardEvent) => shortcuts[position]?.run?.(event))
  const names = JSON.stringify(shortcuts.map(({ keys, label, run: isRun }) => [keys, label, isRun !== undefined]))
  // Before the first paint: who sees the screen can use its keys at once.
  useLayoutEffect(() => {
    const own = (JSON.parse(names) as [string, string, boolean][]).map(([keys, label, isRun], position) => ({
      keys,
      label,
      ...(isRun && { run: (event: KeyboardEvent) => run(position, event) }),
    }))
    change([...active, ...own])
    return () => change(active.filter(shortcut => !own.includes(shortcut)))
  }, [names])
}
