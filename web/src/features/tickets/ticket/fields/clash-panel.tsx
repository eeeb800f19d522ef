import { useQuery } from '@tanstack/react-query'
import { getTicketHistory } from '@tessera/contract/tickets/tickets'
import type { ReactNode } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { TimeAgo } from '../../../../components/time-ago/time-ago.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import styles from './clash-panel.module.css'

interface ClashPanelProps {
  idTicket: number
  field: string
  label: string
  /** The stored value, in readable form. */
  theirs: ReactNode
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Shown when somebody else has changed the field being edited: the user chooses which value to keep. */
export function ClashPanel({ idTicket, field, label, theirs, onKeepMine, onTakeTheirs }: ClashPanelProps) {
  const history = useQuery(callQuery(getTicketHistory, { idTicket, Limit: 50 }))
  const change = history.data?.Changes.find(({ Field }) => Field === field)
  return (
    <div data-clash tabIndex={-1} className={styles.panel}>
      <div className={styles.words}>
        {/* Announced once: when it is known who did it, and without the time, which changes each minute. */}
        <div key={history.status} role={history.isPending ? undefined : 'alert'}>
          {change?.Author ?? 'Somebody else'} changed {label} to:
          <q className={styles.theirs}>{theirs || '(nothing)'}</q>
        </div>
        {change && (
          <div className={styles.time}>
            <TimeAgo at={change.DateChanged} />
          </div>
        )}
      </div>
      <Button onClick={onKeepMine}>KEEP MINE</Button>
      <Button onClick={onTakeTheirs}>TAKE THEIRS</Button>
    </div>
  )
}
