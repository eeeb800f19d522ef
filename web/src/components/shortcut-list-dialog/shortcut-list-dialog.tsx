import { useId } from 'react'
import { useActiveActions } from '../../lib/actions.ts'
import { Button } from '../button/button.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../dialog/dialog.tsx'
import styles from './shortcut-list-dialog.module.css'

function shownKeys(keys: string) {
  return keys.replace('Ctrl+', /^Mac|^iP/.test(navigator.platform) ? '⌘' : 'Ctrl+').split(' ')
}

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
                {shownKeys(keys).map((key, position) => (
                  <kbd key={position}>{key}</kbd>
                ))}
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
