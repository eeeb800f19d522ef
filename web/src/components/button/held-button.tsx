import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'

/** A button that becomes disabled while it has the focus keeps it: otherwise the keyboard would lose its place on the page. */
export function HeldButton({ disabled = false, ref, onFocus, onBlur, onClick, ...button }: ComponentProps<'button'>) {
  const [hasFocus, setFocus] = useState(false)
  const own = useRef<HTMLButtonElement>(null)
  useImperativeHandle(ref, () => own.current as HTMLButtonElement, [])
  // React fires no focus event when a closing dialog returns the focus.
  useLayoutEffect(() => {
    if (disabled && document.activeElement === own.current) setFocus(true)
  }, [disabled])
  const isHeld = disabled && hasFocus
  return (
    <button
      ref={own}
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
