import { type ReactNode, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { isOnTop, keepTabInside, openLayer, placeToReturn } from './layers.ts'

interface LayerProps {
  /** Called on Escape and on a click outside of the content. */
  onDismiss: () => void
  /** Tab closes it, as in a menu, instead of cycling within it. */
  closesOnTab?: boolean
  /** Makes it a landmark, unless its content is one, such as a dialog. */
  landmark?: { 'aria-label'?: string | undefined; 'aria-labelledby'?: string | undefined }
  className?: string | undefined
  children: ReactNode
}

/**
 * Covers the window, above everything else and outside of the page: the container of dialogs, drawers and menus. Moves the focus to the element
 * marked `data-first-focus`, unless something inside already has it, and restores it afterwards; the rest of the page is inert meanwhile.
 */
export function Layer({ onDismiss, closesOnTab = false, landmark, className, children }: LayerProps) {
  const box = useRef<HTMLDivElement>(null)
  // Before anything inside takes the focus.
  const [returnTo] = useState(placeToReturn)
  const pressedBeside = useRef(false)
  const dismiss = useEffectEvent(onDismiss)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const element = box.current
    if (!element || !isOnTop(element) || event.isComposing) return
    if (event.key === 'Tab' && closesOnTab) {
      // The focus returns to the opener instead of moving past it.
      event.preventDefault()
      dismiss()
    } else if (event.key === 'Tab') keepTabInside(event, element)
    // An Escape that something inside has handled is not meant for the layer.
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    dismiss()
  })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const close = openLayer({ element, returnTo })
    if (!element.contains(document.activeElement)) element.querySelector<HTMLElement>('[data-first-focus]')?.focus()
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => {
      document.removeEventListener('keydown', listen)
      close()
    }
  }, [returnTo])
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard Escape does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      ref={box}
      data-layer=""
      {...(landmark && { role: 'region', ...landmark })}
      className={className}
      onMouseDown={event => {
        // The second press of a double click was meant for what opened the layer.
        pressedBeside.current = event.target === event.currentTarget && event.detail < 2
      }}
      onClick={event => {
        // A click in here must not count as a click on the row or card that opened it.
        event.stopPropagation()
        if (event.target === event.currentTarget && pressedBeside.current) onDismiss()
      }}
    >
      {children}
    </div>,
    document.body,
  )
}
