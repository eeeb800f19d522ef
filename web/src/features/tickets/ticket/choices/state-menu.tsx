import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import type { Ticket } from '../../ticket.ts'
import { FactMenu } from './fact-menu.tsx'

interface StateMenuProps {
  ticket: Ticket
  /** The state chosen in the draft. */
  value: number
  onChange: (idState: number) => void
  /** Why tickets cannot be changed at the moment. */
  blocked: string | undefined
}

/** The state, with a menu of its output states. */
export function StateMenu({ ticket, value, onChange, blocked }: StateMenuProps) {
  const { data: states } = useQuery({ ...callQuery(getTicketStateList, { idProject: ticket.idProject }), staleTime: seldomStale })
  // The state that the ticket has is there once another one is chosen: as the way back.
  const choices =
    value === ticket.idState ? ticket.OutputStates : [{ id: ticket.idState, Description: ticket.State }, ...ticket.OutputStates]
  const phaseOf = (id: number): Phase | undefined => (id === ticket.idState ? ticket.Phase : states?.find(state => state.id === id)?.phase)
  const mark = (id: number) => {
    const phase = phaseOf(id)
    return phase && <PhaseMark phase={phase} />
  }
  const chosen = choices.find(({ id }) => id === value)
  return (
    <FactMenu
      ticket={ticket}
      label="State"
      value={chosen?.Description ?? states?.find(({ id }) => id === value)?.Description ?? ticket.State}
      icon={mark(value)}
      note={value === ticket.idState ? undefined : `was ${ticket.State}`}
      needs={permission.changeState}
      blocked={blocked}
      action={{ keys: 's', label: 'Change the state' }}
      choices={[
        ...choices.map(({ id, Description }) => ({
          key: id,
          label: Description,
          icon: mark(id),
          detail: id === ticket.idState ? 'now' : undefined,
          isChosen: id === value,
          onChoose: () => onChange(id),
        })),
        ...(ticket.OutputStates.length === 0 ? [{ key: 'none', label: 'No other state can be reached from here', isDisabled: true }] : []),
      ]}
    />
  )
}
