import type { ReactNode } from 'react'
import { Layer } from '../layer/layer.tsx'
import styles from './drawer.module.css'

interface DrawerProps {
  label: string
  open: boolean
  onClose: () => void
  children: ReactNode
}

/** A panel that slides in from the left, over the page. */
export function Drawer({ label, open, onClose, children }: DrawerProps) {
  if (!open) return null
  return (
    <Layer onDismiss={onClose} className={styles.layer}>
      <div role="dialog" aria-label={label} tabIndex={-1} data-first-focus className={styles.drawer}>
        {children}
      </div>
    </Layer>
  )
}
