import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import type { Toast, ToasterProps } from './toaster.tsx'

function show({ kind, message, action, lasting }: Toast) {
  const id = toast[kind](message, {
    cancel: { label: 'Dismiss', onClick: () => toast.dismiss(id) },
    ...(action ? { action } : {}),
    ...(lasting ? { duration: Number.POSITIVE_INFINITY } : {}),
  })
  return () => void toast.dismiss(id)
}
export type ShowToast = typeof show

/** Stacked messages: at most 4, gone after 7 s unless the pointer rests on them. */
export function ToastStack({ position = 'bottom-left', onReady }: ToasterProps & { onReady: (ready: ShowToast) => void }) {
  useEffect(() => onReady(show), [onReady])
  return <Sonner expand position={position} visibleToasts={4} duration={7000} gap={10} offset={12} mobileOffset={12} />
}
