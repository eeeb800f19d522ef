import Box from '@mui/material/Box'
import type { SxProps, Theme } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

interface PageContentProps {
  /** Of the browser tab. */
  title?: string | undefined
  /** The widest it gets; 1440 px unless told. */
  maxWidth?: number
  sx?: SxProps<Theme>
  children: ReactNode
}

/** The main part of a page: its width, its edges and its name in the browser tab. */
export function PageContent({ title, maxWidth = 1440, sx = {}, children }: PageContentProps) {
  useDocumentTitle(title)
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
