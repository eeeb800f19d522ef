import { useActiveActions } from '../../lib/input/actions.ts'
import { useShortcutsEnabled } from '../../lib/input/keys/shortcuts-enabled.ts'
import { PlainDialog } from '../dialog/plain-dialog.tsx'
import { Keys } from '../keys/keys.tsx'
import styles from './shortcut-list-dialog.module.css'

/** The shortcuts of the screen behind it. Those that are unavailable at present are dimmed, with the reason. */
export function ShortcutListDialog({ onClose }: { onClose: () => void }) {
  const shortcuts = useActiveActions().filter(({ keys }) => keys)
  const hasShortcuts = useShortcutsEnabled()
  return (
    <PlainDialog title="Keyboard shortcuts" maxWidth="xs" scrollLabel="Keyboard shortcuts" onClose={onClose}>
      {!hasShortcuts && <p className={styles.off}>Shortcuts are switched off in your profile. These still work:</p>}
      <dl className={styles.list}>
        {shortcuts.map(({ keys = '', label, refused }) => (
          <div key={keys + label} className={styles.shortcut} data-refused={refused && ''}>
            <dt>
              {label}
              {refused && <small>{refused}</small>}
            </dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </PlainDialog>
  )
}
