import { useEffectEvent, useLayoutEffect } from 'react'
import { isTyping } from './actions.ts'

/**
 * While something that will take the focus is loading, keys are meant for it: this keeps them from shortcuts and from the focused row. With `onType`
 * they are passed on letter by letter, also those typed into a field.
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
