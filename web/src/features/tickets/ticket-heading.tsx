import Box from '@mui/material/Box'
import InputBase from '@mui/material/InputBase'
import Typography from '@mui/material/Typography'
import { limits } from '@tessera/contract/limits'
import { useRef, useState } from 'react'

interface TicketHeadingProps {
  code: string
  title: string
  readOnly: boolean
  onChange: (title: string) => void
}

/** The ticket's code and title; the title is edited where it stands. */
export function TicketHeading({ code, title, readOnly, onChange }: TicketHeadingProps) {
  const [before, setBefore] = useState<string>()
  const start = useRef<HTMLButtonElement>(null)
  const isEditing = before !== undefined
  const stop = () => {
    setBefore(undefined)
    requestAnimationFrame(() => start.current?.focus())
  }
  return (
    <Typography
      variant="h1"
      sx={{ flex: { xs: '1 1 100%', sm: 1 }, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.25, minWidth: 0 }}
    >
      <Typography variant="overline" component="span" sx={{ flex: '1 0 100%', color: 'text.secondary' }}>
        Ticket Detail
      </Typography>
      <Box component="span" sx={{ color: 'text.secondary', fontWeight: 500, whiteSpace: 'nowrap' }}>
        {code}
      </Box>
      {isEditing ? (
        <InputBase
          autoFocus
          multiline
          value={title}
          onChange={event => onChange(event.target.value.replaceAll('\n', ' '))}
          onBlur={() => setBefore(undefined)}
          onKeyDown={event => {
            if (event.key === 'Enter') {
              event.preventDefault()
              stop()
            } else if (event.key === 'Escape') {
              onChange(before)
              stop()
            }
          }}
          slotProps={{ input: { 'aria-label': 'Description', maxLength: limits.ticketTitle } }}
          sx={{
            flex: '1 1 240px',
            p: 0,
            mx: -0.75,
            px: 0.75,
            borderRadius: 1.5,
            font: 'inherit',
            letterSpacing: 'inherit',
            bgcolor: 'background.paper',
            outline: 2,
            outlineColor: 'primary.main',
          }}
        />
      ) : readOnly ? (
        <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Box>
      ) : (
        <Box
          component="button"
          ref={start}
          type="button"
          title="Edit"
          onClick={() => setBefore(title)}
          sx={{
            minWidth: 0,
            minHeight: 28,
            mx: -0.75,
            px: 0.75,
            py: 0,
            border: 0,
            borderRadius: 1.5,
            bgcolor: 'transparent',
            color: 'inherit',
            font: 'inherit',
            letterSpacing: 'inherit',
            textAlign: 'left',
            cursor: 'text',
            overflowWrap: 'anywhere',
            '&:hover': { bgcolor: 'action.hover' },
            '&:focus-visible': { outline: 2, outlineColor: 'primary.main' },
          }}
        >
          {title || 'Enter a description'}
        </Box>
      )}
    </Typography>
  )
}
