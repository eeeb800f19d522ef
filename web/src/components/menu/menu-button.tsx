import { useRef } from 'react'
import { Button } from '../button/button.tsx'
import { ChevronDownIcon } from '../icons/icons.tsx'
import styles from './menu.module.css'
import { Menu, type MenuProps } from './menu.tsx'

interface MenuButtonProps {
  /** On the button, and the name of the menu. */
  label: string
  open: boolean
  onOpen: (open: boolean) => void
  choices: MenuProps['choices']
}

/** A button with the menu that it opens. */
export function MenuButton({ label, open, onOpen, choices }: MenuButtonProps) {
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button ref={anchor} aria-haspopup="menu" aria-expanded={open} onClick={() => onOpen(true)} className={styles.opener}>
        {label}
        <ChevronDownIcon fontSize="small" />
      </Button>
      <Menu label={label} anchor={anchor} open={open} onClose={() => onOpen(false)} choices={choices} />
    </>
  )
}
