import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { IconButton } from '../icon-button/icon-button.tsx'
import { CloseIcon, ErrorIcon, InfoIcon, WarningIcon } from '../icons/icons.tsx'
import styles from './alert.module.css'

const icons = { error: ErrorIcon, warning: WarningIcon, info: InfoIcon }

interface AlertProps {
  severity: keyof typeof icons
  /** A button at the right. */
  action?: ReactNode
  /** With it, the message has a button that closes it. */
  onClose?: () => void
  className?: string | undefined
  children: ReactNode
}

/** An important message; screen readers announce it when it appears. */
export function Alert({ severity, action, onClose, className, children }: AlertProps) {
  const Icon = icons[severity]
  return (
    <div role="alert" className={classNames(styles.alert, styles[severity], className)}>
      <span className={styles.icon}>
        <Icon />
      </span>
      <div className={styles.words}>{children}</div>
      {action && <div className={styles.action}>{action}</div>}
      {onClose && (
        <div className={styles.action}>
          <IconButton aria-label="Close" onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
      )}
    </div>
  )
}
