import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon?: ReactNode
  title: string
  /** Why it is empty, or what to do about it. */
  children?: ReactNode
  /** The one button that helps. */
  action?: ReactNode
  /** An empty part of a page needs less room than an empty page. */
  dense?: boolean
}

export function EmptyState({ icon, title, children, action, dense = false }: EmptyStateProps) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 1, px: 3, py: dense ? 3 : 6, textAlign: 'center' }}>
      {icon && (
        <Box
          aria-hidden
          sx={{ display: 'grid', placeItems: 'center', width: 40, height: 40, borderRadius: 2.5, bgcolor: 'soft', color: 'primary.main' }}
        >
          {icon}
        </Box>
      )}
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      {children && (
        <Typography component="div" variant="body2" sx={{ color: 'text.secondary', maxWidth: '52ch' }}>
          {children}
        </Typography>
      )}
      {action && <Box sx={{ mt: 1 }}>{action}</Box>}
    </Box>
  )
}
