import { useActions } from '../../lib/input/actions.ts'
import { IconButton } from '../icon-button/icon-button.tsx'
import { MoreIcon } from '../icons/icons.tsx'
import { Tooltip } from '../tooltip/tooltip.tsx'
import styles from './menu.module.css'
import { Menu, type MenuProps } from './menu.tsx'
import { useMenu } from './use-menu.ts'

/** The three-dots button of a page, with a menu of rarely used actions. The palette has them too. */
export function MoreMenu({ choices }: Pick<MenuProps, 'choices'>) {
  const { open, button, menu } = useMenu()
  useActions([
    { keys: '.', label: 'Open the menu of the page', run: open },
    ...choices.map(({ label, isDisabled, note, onChoose }) => ({
      label,
      refused: isDisabled ? (note ?? 'Not possible at present') : undefined,
      ...(onChoose && { run: onChoose }),
    })),
  ])
  return (
    <>
      <Tooltip title="More">
        <IconButton {...button} className={styles.more} aria-label="More">
          <MoreIcon />
        </IconButton>
      </Tooltip>
      <Menu label="More" {...menu} choices={choices} />
    </>
  )
}
