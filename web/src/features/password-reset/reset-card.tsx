import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { BrandMark } from '../../components/brand-mark.tsx'
import { PageContent } from '../session/page-content.tsx'

interface ResetCardProps {
  title: string
  /** Covers the card while it is sent. */
  busy?: boolean
  children: ReactNode
}

/** The frame of both password pages. */
export function ResetCard({ title, busy = false, children }: ResetCardProps) {
  return (
    <PageContent maxWidth={440} sx={{ pt: { xs: 4, sm: '10vh' } }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1.5, mb: 3 }}>
        <BrandMark size={44} />
        <Typography variant="h1">{title}</Typography>
      </Box>
      <Card sx={{ position: 'relative', p: 3 }}>
        <Box inert={busy} sx={{ display: 'grid', gap: 2 }}>
          {children}
        </Box>
        {busy && (
          <Box
            role="status"
            aria-label="Processing"
            sx={{
              position: 'absolute',
              inset: 0,
              zIndex: 1,
              display: 'grid',
              placeItems: 'center',
              bgcolor: 'background.paper',
              opacity: 0.85,
            }}
          >
            <CircularProgress size={30} aria-hidden />
          </Box>
        )}
      </Card>
    </PageContent>
  )
}
