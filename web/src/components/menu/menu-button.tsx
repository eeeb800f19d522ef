import { Button } from '../button/button.tsx'
import { ChevronDownIcon } from '../icons/icons.tsx'
import styles from './menu.module.css'
import { Menu, type MenuProps } from './menu.tsx'
import type { useMenu } from './use-menu.ts'

interface MenuButtonProps {
  /** On the button, and the name of the menu. */
  label: string
  menu: ReturnType<typeof useMenu>
  choices: MenuProps['choices']
}

/** A button with the menu that it opens. */
export function MenuButton({ label, menu, choices }: MenuButtonProps) {
  return (
    <>
      <Button {...menu.button} className={styles.opener}>
        {label}
        <ChevronDownIcon fontSize="small" />
      </Button>
      <Menu label={label} {...menu.menu} choices={choices} />
    </>
  )
}
