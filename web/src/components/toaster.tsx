import { useColorScheme } from '@mui/material/styles'
import { Toaster as Sonner, toast } from 'sonner'

/** Stacked messages: at most 4, gone after 7 s unless the pointer rests on them. */
export function Toaster({ position = 'bottom-left' }: { position?: 'bottom-left' | 'bottom-right' }) {
  const { mode = 'system' } = useColorScheme()
  return (
    <Sonner
      expand
      closeButton
      theme={mode}
      position={position}
      visibleToasts={4}
      duration={7000}
      gap={10}
      offset={12}
      mobileOffset={12}
      toastOptions={{ closeButtonAriaLabel: 'Dismiss' }}
    />
  )
}

interface ToastAction {
  label: string
  onClick: () => void
}
export const notify = {
  info: (message: string, action?: ToastAction) => void toast.info(message, action && { action }),
  success: (message: string, action?: ToastAction) => void toast.success(message, action && { action }),
  error: (message: string, action?: ToastAction) => void toast.error(message, action && { action }),
}
