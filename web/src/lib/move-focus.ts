import type { KeyboardEvent } from 'react'

const vertical = { back: 'ArrowUp', on: 'ArrowDown' }

/** Moves the focus among the entries of a list: arrows, Home, End, and the first letter. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, selector: string, { back, on } = vertical) {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const { key } = event
  let next: HTMLElement | undefined
  if (key === on) next = entries[at + 1] ?? entries[0]
  else if (key === back) next = entries[at - 1] ?? entries.at(-1)
  else if (key === 'Home') next = entries[0]
  else if (key === 'End') next = entries.at(-1)
  else if (key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const starts = (entry: HTMLElement) => entry.textContent.trim().toLowerCase().startsWith(key.toLowerCase())
    next = [...entries.slice(at + 1), ...entries.slice(0, at + 1)].find(starts)
  }
  if (!next) return
  event.preventDefault()
  next.focus()
}
