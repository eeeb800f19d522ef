import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import type { ReactNode } from 'react'
import { CloseIcon } from './icons.tsx'

/** How what a filter is set with looks; a set one stands out. */
export function filterControl(isSet: boolean) {
  return {
    width: '100%',
    height: 28,
    pl: 1,
    pr: isSet ? 3.5 : 1,
    border: 1,
    borderRadius: '7px',
    borderColor: isSet ? 'primary.main' : 'field',
    bgcolor: isSet ? 'soft' : 'background.default',
    fontSize: 12.5,
    fontWeight: isSet ? 500 : 400,
  }
}

interface FilterBoxProps {
  /** Names the filter for screen readers: "Phase". */
  label: string
  isSet: boolean
  onClear: () => void
  children: ReactNode
}

/** A filter with the cross that clears it. */
export function FilterBox({ label, isSet, onClear, children }: FilterBoxProps) {
  return (
    <Box sx={{ position: 'relative', minWidth: 0 }}>
      {children}
      {isSet && (
        <IconButton
          size="small"
          aria-label={`Clear ${label}`}
          onClick={onClear}
          sx={{ position: 'absolute', right: 2, top: 2, color: 'primary.main' }}
        >
          <CloseIcon fontSize="small" />
        </IconButton>
      )}
    </Box>
  )
}
