import type { KeyboardEvent } from 'react'

const vertical = { back: 'ArrowUp', on: 'ArrowDown' }
/** Letters typed within this time, in milliseconds, are one word. */
const pause = 500
let typed = { word: '', at: 0 }

/** Moves the focus among the entries of a list: arrows, Home, End, and the first letters of an entry. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, selector: string, { back, on } = vertical) {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const { key } = event
  const isLetter = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey
  if (!isLetter) typed = { word: '', at: 0 }
  let next: HTMLElement | undefined
  if (key === on) next = entries[at + 1] ?? entries[0]
  else if (key === back) next = entries[at - 1] ?? entries.at(-1)
  else if (key === 'Home') next = entries[0]
  else if (key === 'End') next = entries.at(-1)
  else if (isLetter) {
    const letter = key.toLowerCase()
    typed = { word: event.timeStamp - typed.at < pause ? typed.word + letter : letter, at: event.timeStamp }
    // The same letter again means the next entry that begins with it.
    const isRepeated = typed.word === letter.repeat(typed.word.length)
    const wanted = isRepeated ? letter : typed.word
    const from = isRepeated ? at + 1 : at
    next = [...entries.slice(from), ...entries.slice(0, from)].find(entry => entry.textContent.trim().toLowerCase().startsWith(wanted))
  }
  if (!next) return
  event.preventDefault()
  next.focus()
}
