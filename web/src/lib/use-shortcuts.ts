import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

export interface Shortcut {
  /** One key (`c`, `/`, `?`, `Enter`) or two after each other (`g h`). */
  keys: string
  label: string
  run: (event: KeyboardEvent) => void
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
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select, [role=combobox]'))
  )
}
/** A dialog or an open menu takes the keys for itself. */
function isCovered() {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (!shortcutsEnabled() || isTyping(event.target) || isCovered()) return
  // Enter on a button or a link is theirs.
  if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.matches('a, button, [role=button]')) return
  const isFresh = event.timeStamp - prefix.at < prefixTimeout
  const pressed = isFresh && prefix.key ? `${prefix.key} ${event.key}` : event.key
  // The shortcut that came last belongs to the innermost screen.
  const match = active.findLast(({ keys }) => keys === pressed) ?? active.findLast(({ keys }) => keys === event.key)
  prefix = { key: match ? '' : event.key, at: event.timeStamp }
  if (!match) return
  event.preventDefault()
  match.run(event)
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

/** Makes shortcuts work while the component is mounted: never while typing, never under a dialog. */
export function useShortcuts(shortcuts: Shortcut[]) {
  const run = useEffectEvent((position: number, event: KeyboardEvent) => shortcuts[position]?.run(event))
  const names = JSON.stringify(shortcuts.map(({ keys, label }) => [keys, label]))
  useEffect(() => {
    const own = (JSON.parse(names) as [string, string][]).map(([keys, label], position) => ({
      keys,
      label,
      run: (event: KeyboardEvent) => run(position, event),
    }))
    change([...active, ...own])
    return () => change(active.filter(shortcut => !own.includes(shortcut)))
  }, [names])
}
