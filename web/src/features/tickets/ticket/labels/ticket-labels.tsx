import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getLabelList } from '@tessera/contract/projects/labels'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { EditIcon } from '../../../../components/icons/icons.tsx'
import { LabelChip } from '../../../../components/label-chip/label-chip.tsx'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { GatedIconButton } from '../../../../components/permission-gate/gated-icon-button.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { useActions } from '../../../../lib/input/actions.ts'
import { HeldKeys } from '../../../../lib/input/keys/held-keys.ts'
import { carriedLabels, refusalOf, type Ticket } from '../../ticket.ts'
import type { useTicketDraft } from '../use-ticket-draft.ts'
import styles from './ticket-labels.module.css'

const LabelField = lazy(async () => (await import('./label-field.tsx')).LabelField, { keepsTyped: true })

interface TicketLabelsProps {
  ticket: Ticket
  draft: ReturnType<typeof useTicketDraft>
  /** Why the ticket takes no change just now, whatever the permissions. */
  blocked: string | undefined
}

/** The labels of the ticket as they will be after SAVE, and the field that changes them. */
export function TicketLabels({ ticket, draft, blocked }: TicketLabelsProps) {
  const { idProject } = ticket
  const [isEditing, edit] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const changes = draft.draft.Labels
  const known = useQuery({ ...callQuery(getLabelList, { idProject }), enabled: isEditing || changes.length > 0, staleTime: seldomStale })
  const shown = carriedLabels(ticket.Labels, changes, known.data ?? [])
  useActions([
    { keys: 'l', label: 'Change the labels', refused: refusalOf(ticket, permission.editTickets, blocked), run: () => edit(true) },
  ])
  const chips = (
    <div className={styles.chips}>
      {shown.length === 0 && <span className={styles.none}>None</span>}
      {shown.map(({ idLabel, Label, Color }) => (
        <LabelChip key={idLabel} name={Label} color={Color} />
      ))}
    </div>
  )
  if (isEditing) {
    return (
      <Suspense
        fallback={
          <>
            {chips}
            <HeldKeys />
          </>
        }
      >
        <LabelField
          ticket={ticket}
          shown={shown}
          onChange={changed => draft.set('Labels', changed)}
          onClose={isByKey => {
            flushSync(() => edit(false))
            if (isByKey) opener.current?.focus()
          }}
        />
      </Suspense>
    )
  }
  return (
    <div className={styles.labels}>
      {chips}
      <GatedIconButton
        ref={opener}
        label="Edit labels"
        idProject={idProject}
        needs={permission.editTickets}
        held={ticket.Permissions}
        reason={blocked}
        onClick={() => edit(true)}
      >
        <EditIcon />
      </GatedIconButton>
    </div>
  )
}
