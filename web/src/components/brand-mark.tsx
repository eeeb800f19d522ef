import Box from '@mui/material/Box'
import type { SxProps } from '@mui/material/styles'

export function BrandMark({ size = 18, sx = {} }: { size?: number; sx?: SxProps }) {
  return (
    <Box
      aria-hidden
      sx={[
        {
          flex: 'none',
          width: size,
          height: size,
          borderRadius: `${Math.round(size * 0.28)}px`,
          background: 'conic-gradient(from 45deg, #4f46e5, #818cf8, #22c55e, #4f46e5)',
        },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    />
  )
}
