import { useId } from 'react'
import { useActiveActions } from '../../lib/input/actions.ts'
import { Button } from '../button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../dialog/dialog.tsx'
import { Keys } from '../keys/keys.tsx'
import styles from './shortcut-list-dialog.module.css'

/** The keys that work on the screen behind it. */
export function ShortcutListDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shortcuts = useActiveActions().filter(({ keys, refused }) => keys && !refused)
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" aria-labelledby={id}>
      <DialogTitle id={id}>Keyboard shortcuts</DialogTitle>
      <DialogContent>
        <dl className={styles.list}>
          {shortcuts.map(({ keys = '', label }) => (
            <div key={keys + label} className={styles.shortcut}>
              <dt>{label}</dt>
              <dd>
                <Keys keys={keys} />
              </dd>
            </div>
          ))}
        </dl>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>CLOSE</Button>
      </DialogActions>
    </Dialog>
  )
}
