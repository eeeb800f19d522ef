import { Toaster as Sonner, toast } from 'sonner'

/** Stacked messages: at most 4, gone after 7 s unless the pointer rests on them. */
export function Toaster({ position = 'bottom-left' }: { position?: 'bottom-left' | 'bottom-right' }) {
  return <Sonner expand position={position} visibleToasts={4} duration={7000} gap={10} offset={12} mobileOffset={12} />
}

interface ToastAction {
  label: string
  onClick: () => void
}
function show(kind: 'info' | 'success' | 'error', message: string, action?: ToastAction) {
  const id = toast[kind](message, {
    cancel: { label: 'Dismiss', onClick: () => toast.dismiss(id) },
    ...(action ? { action } : {}),
  })
}

export const notify = {
  info: (message: string, action?: ToastAction) => show('info', message, action),
  success: (message: string, action?: ToastAction) => show('success', message, action),
  error: (message: string, action?: ToastAction) => show('error', message, action),
}
