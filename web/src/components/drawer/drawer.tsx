import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { Layer } from '../layer/layer.tsx'
import styles from './drawer.module.css'

interface DrawerProps {
  label: string
  open: boolean
  onClose: () => void
  className?: string | undefined
  children: ReactNode
}

/** A panel that slides in from the left, over the page. */
export function Drawer({ label, open, onClose, className, children }: DrawerProps) {
  if (!open) return null
  return (
    <Layer onDismiss={onClose} className={styles.layer}>
      <div role="dialog" aria-modal aria-label={label} tabIndex={-1} data-first-focus className={classNames(styles.drawer, className)}>
        {children}
      </div>
    </Layer>
  )
}
