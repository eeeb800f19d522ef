import type { KeyboardEvent } from 'react'

/** For a link that the specification calls a button: it has that role, and the space bar presses it too. */
export const asButton = {
  role: 'button',
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== ' ') return
    event.preventDefault()
    event.currentTarget.click()
  },
} as const
