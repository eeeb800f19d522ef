import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import { useRef, useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { ChevronDownIcon } from '../../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { Menu } from '../../../../components/menu/menu.tsx'
import { PermissionGate } from '../../../../components/permission-gate/permission-gate.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { useActions } from '../../../../lib/input/actions.ts'
import { refusalOf, type Ticket } from '../../ticket.ts'
import styles from './state-menu.module.css'

interface StateMenuProps {
  ticket: Ticket
  /** The state chosen in the draft. */
  value: number
  onChange: (idState: number) => void
  /** Why tickets cannot be changed at the moment. */
  blocked: string | undefined
}

/** The state, with a menu of its output states; choosing only selects, SAVE applies it. */
export function StateMenu({ ticket, value, onChange, blocked }: StateMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const { data: states } = useQuery({ ...callQuery(getTicketStateList, { idProject: ticket.idProject }), staleTime: seldomStale })
  // The state that the ticket has is there once another one is chosen: as the way back.
  const choices =
    value === ticket.idState ? ticket.OutputStates : [{ id: ticket.idState, Description: ticket.State }, ...ticket.OutputStates]
  const phaseOf = (id: number): Phase | undefined => (id === ticket.idState ? ticket.Phase : states?.find(state => state.id === id)?.phase)
  const mark = (id: number) => {
    const phase = phaseOf(id)
    return phase && <PhaseMark phase={phase} />
  }
  const open = () => {
    // Where the focus returns to.
    anchor.current?.focus()
    setOpen(true)
  }
  useActions([{ keys: 's', label: 'Change the state', refused: refusalOf(ticket, permission.changeState, blocked), run: open }])
  const chosen = choices.find(({ id }) => id === value)
  const name = chosen?.Description ?? states?.find(({ id }) => id === value)?.Description ?? ticket.State
  return (
    <>
      <PermissionGate idProject={ticket.idProject} needs={permission.changeState} held={ticket.Permissions} reason={blocked}>
        {refused => (
          <Button
            ref={anchor}
            disabled={refused}
            aria-label={`State: ${name}`}
            aria-haspopup="menu"
            aria-expanded={isOpen}
            onClick={() => setOpen(true)}
            className={styles.button}
          >
            {mark(value)}
            <span className={styles.name}>{name}</span>
            {!refused && (
              <span className={styles.arrow}>
                <ChevronDownIcon fontSize="small" />
              </span>
            )}
          </Button>
        )}
      </PermissionGate>
      {value !== ticket.idState && <span className={styles.before}>was {ticket.State}</span>}
      <Menu
        label="State"
        anchor={anchor}
        open={isOpen}
        onClose={() => setOpen(false)}
        choices={[
          ...choices.map(({ id, Description }) => ({
            key: id,
            label: Description,
            icon: mark(id),
            detail: id === ticket.idState ? 'now' : undefined,
            isChosen: id === value,
            onChoose: () => onChange(id),
          })),
          ...(ticket.OutputStates.length === 0
            ? [{ key: 'none', label: 'No other state can be reached from here', isDisabled: true }]
            : []),
        ]}
      />
    </>
  )
}
