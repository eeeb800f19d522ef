import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import type { SxProps, Theme } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

interface SectionCardProps {
  title: string
  /** Beside the title: how many there are. */
  count?: number | undefined
  /** Right of the title. */
  actions?: ReactNode
  /** Under the content, behind a hairline. */
  footer?: ReactNode
  /** Content that brings no room around it of its own. */
  padded?: boolean
  sx?: SxProps<Theme>
  children: ReactNode
}

/** A titled part of a page. */
export function SectionCard({ title, count, actions, footer, padded = false, sx = {}, children }: SectionCardProps) {
  const id = useId()
  return (
    <Card
      component="section"
      aria-labelledby={id}
      sx={[{ display: 'flex', flexDirection: 'column', minWidth: 0 }, ...(Array.isArray(sx) ? sx : [sx])]}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          minHeight: 52,
          px: 2,
          py: 1,
          borderBottom: 1,
          borderColor: 'hairline',
        }}
      >
        <Typography variant="h2" id={id}>
          {title}
        </Typography>
        {count !== undefined && (
          <Box component="span" sx={{ color: 'text.secondary', fontSize: 13 }}>
            {count}
          </Box>
        )}
        <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'flex-end', gap: 1, flex: 1, minWidth: 0 }}>{actions}</Box>
      </Box>
      <Box sx={{ flex: 1, minWidth: 0, ...(padded && { p: 2 }) }}>{children}</Box>
      {footer && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, px: 2, py: 1.25, borderTop: 1, borderColor: 'hairline' }}>{footer}</Box>
      )}
    </Card>
  )
}
