import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { getTicketTrash } from '@tessera/contract/tickets'
import { useId } from 'react'
import { Link as RouterLink } from 'react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { DeleteIcon } from '../../components/icons.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { callQuery } from '../../lib/api.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useOlder } from '../../lib/use-older.ts'
import { TrashedTicketActions } from './trashed-ticket-actions.tsx'

/** What was moved to the project's trash, to take out or to delete for ever. */
export function TrashDialog({ idProject, onClose }: { idProject: number; onClose: () => void }) {
  const id = useId()
  const { data, isPending, error, refetch } = useQuery(callQuery(getTicketTrash, { idProject }))
  const older = useOlder(getTicketTrash, { idProject }, data, ticket => ticket.id)
  const fullScreen = useMediaQuery(useTheme().breakpoints.down('sm'))
  return (
    <Dialog open onClose={onClose} fullScreen={fullScreen} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id}>Trash</DialogTitle>
      <DialogContent>
        {isPending && [0, 1, 2].map(row => <Skeleton key={row} height={57} />)}
        {error && !data && <ErrorState dense message={error.message} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <EmptyState icon={<DeleteIcon />} title="The trash is empty">
            Tickets that are moved to the trash wait here until somebody restores or deletes them.
          </EmptyState>
        )}
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {[...(data ?? []), ...older.rows].map(ticket => (
            <Box
              component="li"
              key={ticket.id}
              sx={{
                display: 'flex',
                alignItems: 'center',
                flexWrap: 'wrap',
                gap: 1,
                py: 1,
                '& + &': { borderTop: 1, borderColor: 'hairline' },
              }}
            >
              <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
                <Box sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
                  <Link component={RouterLink} to={`/view-ticket/${ticket.id}`} underline="always" onClick={onClose}>
                    {ticket.pcode}-{ticket.id}
                  </Link>{' '}
                  {ticket.Title}
                </Box>
                <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
                  {formatDateTime(ticket.DateTrashed)} - {ticket.TrashedBy}
                  {ticket.Tickets > 1 && `, with ${formatNumber(ticket.Tickets - 1)} below it`}
                </Box>
              </Box>
              <TrashedTicketActions idTicket={ticket.id} code={`${ticket.pcode}-${ticket.id}`} tickets={ticket.Tickets} />
            </Box>
          ))}
        </Box>
        <MoreButton label="SHOW OLDER" list={older} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>CLOSE</Button>
      </DialogActions>
    </Dialog>
  )
}
