import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

/** Below a list that goes on. */
export function MoreButton({
  label,
  list,
}: {
  label: string
  list: { hasMore: boolean; isFetching: boolean; error: Error | null; more: () => void }
}) {
  if (!list.hasMore) return null
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 0.5, p: 1 }}>
      {list.error && (
        <Box role="alert" sx={{ fontSize: 13, color: 'error.main' }}>
          {list.error.message}
        </Box>
      )}
      <Button onClick={() => list.isFetching || list.more()} aria-busy={list.isFetching}>
        {label}
      </Button>
    </Box>
  )
}
