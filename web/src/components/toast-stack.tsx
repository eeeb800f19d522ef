import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'

export interface ToasterProps {
  position?: 'bottom-left' | 'bottom-right'
}
export interface ToastAction {
  label: string
  onClick: () => void
}
export interface Toast {
  kind: 'info' | 'success' | 'error' | 'warning'
  message: string
  /** A second line: why. */
  detail?: string | undefined
  action?: ToastAction | undefined
  /** Stays until it is dismissed. */
  lasting?: boolean
}

function show({ kind, message, detail, action, lasting }: Toast) {
  const id = toast[kind](message, {
    cancel: { label: 'Dismiss', onClick: () => toast.dismiss(id) },
    ...(detail ? { description: detail } : {}),
    ...(action ? { action } : {}),
    ...(lasting ? { duration: Number.POSITIVE_INFINITY } : {}),
  })
  return () => void toast.dismiss(id)
}
export type ShowToast = typeof show

/**
 * When a dismissed message vanishes from under the pointer, the browser tells of what is there now, but sends no `mouseout`, from which React
 * learns that the stack was left: the others would stay for ever.
 */
function tellOfLeaving({ target, relatedTarget }: MouseEvent) {
  const stack = relatedTarget instanceof Element && relatedTarget.closest('[data-sonner-toaster]')
  if (stack && !stack.contains(target as Node)) stack.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: target }))
}

/** Stacked messages: at most 4, gone after 7 s unless the pointer rests on them. */
export function ToastStack({ position = 'bottom-left', onReady }: ToasterProps & { onReady: (ready: ShowToast) => void }) {
  useEffect(() => onReady(show), [onReady])
  useEffect(() => {
    document.addEventListener('mouseover', tellOfLeaving, true)
    return () => document.removeEventListener('mouseover', tellOfLeaving, true)
  }, [])
  return <Sonner expand position={position} visibleToasts={4} duration={7000} gap={10} offset={12} mobileOffset={12} />
}
