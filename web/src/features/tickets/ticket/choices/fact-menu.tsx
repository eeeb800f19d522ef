import type { PermissionId } from '@tessera/contract/permissions'
import type { ReactNode } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { ChevronDownIcon } from '../../../../components/icons/icons.tsx'
import { Menu, type MenuProps } from '../../../../components/menu/menu.tsx'
import { useMenu } from '../../../../components/menu/use-menu.ts'
import { PermissionGate } from '../../../../components/permission-gate/permission-gate.tsx'
import { useActions } from '../../../../lib/input/actions.ts'
import { refusalOf, type Ticket } from '../../ticket.ts'
import styles from './fact-menu.module.css'

interface FactMenuProps {
  ticket: Ticket
  /** What is chosen: names the button and its menu. */
  label: string
  /** The name of what is chosen in the draft, and its icon. */
  value: string
  icon?: ReactNode
  /** Beside the button: what the ticket has until the draft is saved. */
  note?: string | undefined
  choices: MenuProps['choices']
  needs: PermissionId
  /** Why tickets cannot be changed at the moment. */
  blocked: string | undefined
  action: { label: string; keys?: string }
}

/** A fact of the ticket with a menu of what it may become; choosing only selects, SAVE applies it. */
export function FactMenu({ ticket, label, value, icon, note, choices, needs, blocked, action }: FactMenuProps) {
  const { open, button, menu } = useMenu()
  const openByKey = () => {
    // Where the focus returns to.
    button.ref.current?.focus()
    open()
  }
  useActions([{ ...action, refused: refusalOf(ticket, needs, blocked), run: openByKey }])
  return (
    <>
      <PermissionGate idProject={ticket.idProject} needs={needs} held={ticket.Permissions} reason={blocked}>
        {refused => (
          <Button {...button} disabled={refused} aria-label={`${label}: ${value}`} className={styles.button}>
            {icon}
            <span className={styles.name}>{value}</span>
            {!refused && (
              <span className={styles.arrow}>
                <ChevronDownIcon fontSize="small" />
              </span>
            )}
          </Button>
        )}
      </PermissionGate>
      {note && <span className={styles.before}>{note}</span>}
      <Menu label={label} {...menu} choices={choices} />
    </>
  )
}
