import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { getTicketHistory } from '@tessera/contract/tickets'
import { callQuery } from '../../lib/api.ts'
import { formatRelative } from '../../lib/format.ts'

interface ClashPanelProps {
  idTicket: number
  field: string
  label: string
  /** The value stored now, as a person reads it. */
  theirs: string
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Somebody else changed what is being edited: the person says which of the two is to stand. */
export function ClashPanel({ idTicket, field, label, theirs, onKeepMine, onTakeTheirs }: ClashPanelProps) {
  const history = useQuery(callQuery(getTicketHistory, { idTicket, Limit: 50 }))
  const change = history.data?.Changes.find(({ Field }) => Field === field)
  return (
    <Box
      role="alert"
      data-clash
      tabIndex={-1}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        mt: 1,
        px: 1.25,
        py: 1,
        border: 1,
        borderColor: 'warning.main',
        borderRadius: 2,
        bgcolor: 'background.paper',
      }}
    >
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        {change?.Author ?? 'Somebody else'} changed {label} to:
        <Box
          component="q"
          sx={{
            display: 'block',
            maxHeight: 160,
            overflow: 'auto',
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            fontWeight: 500,
            quotes: 'none',
          }}
        >
          {theirs || '(nothing)'}
        </Box>
        {change && <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{formatRelative(change.DateChanged)}</Box>}
      </Box>
      <Button onClick={onKeepMine}>KEEP MINE</Button>
      <Button onClick={onTakeTheirs}>TAKE THEIRS</Button>
    </Box>
  )
}
