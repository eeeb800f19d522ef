import Box from '@mui/material/Box'
import type { SxProps, Theme } from '@mui/material/styles'
import type { ReactNode } from 'react'

interface PageContentProps {
  /** The widest it gets; 1440 px unless told. */
  maxWidth?: number
  sx?: SxProps<Theme>
  children: ReactNode
}

/** The main part of a page: its width and its edges. */
export function PageContent({ maxWidth = 1440, sx = {}, children }: PageContentProps) {
  return (
    <Box
      component="main"
      id="content"
      tabIndex={-1}
      sx={[
        { width: '100%', maxWidth, mx: 'auto', px: { xs: 1.5, sm: 3 }, py: { xs: 2, sm: 2.5 }, outline: 'none' },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    >
      {children}
    </Box>
  )
}
