import { useEffectEvent, useLayoutEffect } from 'react'
import { isTyping } from './typing.ts'

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

/**
 * Keeps the key that ends a composition (of Japanese, say) from the page, which would enter the text or close the dialog. Other browsers send it while
 * they are composing; Safari sends it after that, with the code of keys that the input method has used:
 * https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode
 */
export function holdComposedKey(event: KeyboardEvent) {
  if (event.keyCode === 229) event.stopImmediatePropagation()
}
