import { useRef, useState } from 'react'
import { useActions } from '../../lib/input/actions.ts'
import { IconButton } from '../icon-button/icon-button.tsx'
import { MoreIcon } from '../icons/icons.tsx'
import { Tooltip } from '../tooltip/tooltip.tsx'
import styles from './menu.module.css'
import { Menu, type MenuProps } from './menu.tsx'

/** The three-dots button of a page, with a menu of rarely used actions. The palette has them too. */
export function MoreMenu({ choices }: Pick<MenuProps, 'choices'>) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  useActions([
    { keys: '.', label: 'Open the menu of the page', run: () => setOpen(true) },
    ...choices.map(({ label, isDisabled, note, onChoose }) => ({
      label,
      refused: isDisabled ? (note ?? 'Not possible at present') : undefined,
      ...(onChoose && { run: onChoose }),
    })),
  ])
  return (
    <>
      <Tooltip title="More">
        <IconButton
          ref={anchor}
          className={styles.more}
          aria-label="More"
          aria-haspopup="menu"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        >
          <MoreIcon />
        </IconButton>
      </Tooltip>
      <Menu label="More" anchor={anchor} open={isOpen} onClose={() => setOpen(false)} choices={choices} />
    </>
  )
}
