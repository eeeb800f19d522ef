import { useQuery } from '@tanstack/react-query'
import { getTicketTrash } from '@tessera/contract/tickets/moving'
import { PlainDialog } from '../../../components/dialog/plain-dialog.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { DeleteIcon } from '../../../components/icons/icons.tsx'
import { Link } from '../../../components/link/link.tsx'
import { MoreButton } from '../../../components/more-button/more-button.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useOlder } from '../../../lib/calls/use-older.ts'
import { formatDateTime, formatNumber } from '../../../lib/display/format.ts'
import styles from './trash-dialog.module.css'
import { TrashedTicketActions } from './trashed-ticket-actions.tsx'

/** The project's trash, to restore tickets or delete them forever. */
export function TrashDialog({ idProject, onClose }: { idProject: number; onClose: () => void }) {
  const trash = useQuery(callQuery(getTicketTrash, { idProject }))
  const { data } = trash
  const older = useOlder(getTicketTrash, { idProject }, data, ticket => ticket.id)
  return (
    <PlainDialog title="Trash" maxWidth="md" onClose={onClose}>
      {trash.isPending && [0, 1, 2].map(row => <Skeleton key={row} height={34} className={styles.loading} />)}
      <LoadProblem of={[trash]} />
      {data?.length === 0 && (
        <EmptyState icon={<DeleteIcon />} title="The trash is empty">
          Tickets that are moved to the trash wait here until somebody restores or deletes them.
        </EmptyState>
      )}
      <ul>
        {[...(data ?? []), ...older.rows].map(ticket => (
          <li key={ticket.id} className={styles.ticket}>
            <div className={styles.words}>
              <div className={styles.name}>
                <Link to={`/view-ticket/${ticket.id}`} underlined onClick={onClose}>
                  {ticket.pcode}-{ticket.id}
                </Link>{' '}
                {ticket.Title}
              </div>
              <div className={styles.note}>
                {formatDateTime(ticket.DateTrashed)} - {ticket.TrashedBy}
                {ticket.Tickets > 1 && `, with ${formatNumber(ticket.Tickets - 1)} below it`}
              </div>
            </div>
            <TrashedTicketActions idTicket={ticket.id} code={`${ticket.pcode}-${ticket.id}`} tickets={ticket.Tickets} />
          </li>
        ))}
      </ul>
      <MoreButton label="SHOW OLDER" list={older} />
    </PlainDialog>
  )
}
