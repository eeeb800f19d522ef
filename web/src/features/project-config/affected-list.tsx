import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'

interface AffectedListProps {
  label: string
  /** Each thing by name, with what happens because of it; undefined while it is being counted. */
  rows: readonly { id: number; name: string; words: string }[] | undefined
}

/** What a deletion affects, in numbers. */
export function AffectedList({ label, rows }: AffectedListProps) {
  if (!rows) return <Skeleton variant="rounded" height={48} sx={{ mt: 1 }} />
  if (rows.length === 0) return null
  return (
    <Box sx={{ mt: 1.5 }}>
      <Box sx={{ fontSize: 12, fontWeight: 600, color: 'text.secondary' }}>{label}</Box>
      <Box component="ul" sx={{ m: 0, mt: 0.5, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 1 }}>
        {rows.map(({ id, name, words }) => (
          <Box
            component="li"
            key={id}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              columnGap: 1.5,
              px: 1.5,
              py: 0.75,
              color: 'text.primary',
              '& + &': { borderTop: 1, borderColor: 'hairline' },
            }}
          >
            <Box component="span" sx={{ flex: '1 1 auto', fontWeight: 500, overflowWrap: 'anywhere' }}>
              {name}
            </Box>
            <Box component="span" sx={{ color: 'text.secondary', fontSize: 13 }}>
              {words}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  )
}
