import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ReactNode } from 'react'

interface AddFormProps {
  /** On the button: "ADD MEMBER". */
  label: string
  disabled: boolean
  onSubmit: () => void
  /** What says whom or what to add. */
  children: ReactNode
}

/** One line at the foot of a list that adds to it. */
export function AddForm({ label, disabled, onSubmit, children }: AddFormProps) {
  return (
    <Box
      component="form"
      noValidate
      sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, flex: 1, minWidth: 0, maxWidth: 460 }}
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Button type="submit" disabled={disabled} sx={{ flex: 'none', minHeight: 36 }}>
        {label}
      </Button>
    </Box>
  )
}
