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

export const notify = {
  info: (message: string) => void toast.info(message),
  success: (message: string) => void toast.success(message),
  error: (message: string) => void toast.error(message),
}
