import { useRef, useState } from 'react'

/** Whether a menu is open, with the props for it and for the button that opens it. */
export function useMenu() {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const open = () => setOpen(true)
  return {
    isOpen,
    open,
    button: { ref: anchor, 'aria-haspopup': 'menu', 'aria-expanded': isOpen, onClick: open } as const,
    menu: { anchor, open: isOpen, onClose: () => setOpen(false) },
  }
}
