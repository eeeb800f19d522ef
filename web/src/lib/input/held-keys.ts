import { useEffectEvent, useLayoutEffect } from 'react'
import { isTyping } from './actions.ts'

/**
 * Takes what is typed while something that takes the focus is being loaded, because it is meant for that: neither a shortcut nor the focused row gets
 * it. With `onType` also what is typed into a field, letter by letter.
 */
export function HeldKeys({ onType }: { onType?: (letter: string) => void }) {
  const take = useEffectEvent((event: KeyboardEvent) => {
    const isLetter = event.key.length === 1
    if (event.ctrlKey || event.metaKey || event.isComposing || !(isLetter || event.key === 'Enter')) return
    if (!onType && isTyping(event.target)) return
    if (isLetter) onType?.(event.key)
    event.preventDefault()
    event.stopPropagation()
  })
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => take(event)
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [])
  return null
}
