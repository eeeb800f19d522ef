import type { ReactNode } from 'react'
import { Layer } from '../layer/layer.tsx'
import styles from './drawer.module.css'

interface DrawerProps {
  label: string
  onClose: () => void
  children: ReactNode
}

/** A panel that slides in from the left, over the page. */
export function Drawer({ label, onClose, children }: DrawerProps) {
  return (
    <Layer onDismiss={onClose} className={styles.layer}>
      <div role="dialog" aria-label={label} tabIndex={-1} data-first-focus className={styles.drawer}>
        {children}
      </div>
    </Layer>
  )
}
