import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useActiveShortcuts } from '../lib/use-shortcuts.ts'

/** The keys that work on the screen behind it. */
export function ShortcutListDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shortcuts = useActiveShortcuts()
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Keyboard shortcuts</DialogTitle>
      <DialogContent>
        <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: '1fr auto', gap: '10px 16px', m: 0 }}>
          {shortcuts.map(({ keys, label }) => (
            <Box key={keys + label} sx={{ display: 'contents' }}>
              <dt>{label}</dt>
              <Box component="dd" sx={{ m: 0, display: 'flex', gap: 0.5, justifyContent: 'flex-end' }}>
                {keys.split(' ').map((key, position) => (
                  <Box
                    component="kbd"
                    key={position}
                    sx={{
                      px: 0.75,
                      minWidth: 22,
                      textAlign: 'center',
                      border: 1,
                      borderColor: 'divider',
                      borderRadius: 1,
                      bgcolor: 'background.default',
                      font: 'inherit',
                      fontSize: 12,
                    }}
                  >
                    {key}
                  </Box>
                ))}
              </Box>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>CLOSE</Button>
      </DialogActions>
    </Dialog>
  )
}
