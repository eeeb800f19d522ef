import { type ComponentProps, useState } from 'react'

/** A button that becomes disabled while it has the focus keeps it: otherwise the keyboard would lose its place on the page. */
export function HeldButton({ disabled = false, onFocus, onBlur, onClick, ...button }: ComponentProps<'button'>) {
  const [hasFocus, setFocus] = useState(false)
  const isHeld = disabled && hasFocus
  return (
    <button
      type="button"
      disabled={disabled && !isHeld}
      aria-disabled={isHeld || undefined}
      onFocus={event => {
        setFocus(true)
        onFocus?.(event)
      }}
      onBlur={event => {
        setFocus(false)
        onBlur?.(event)
      }}
      onClick={isHeld ? event => event.preventDefault() : onClick}
      {...button}
    />
  )
}
