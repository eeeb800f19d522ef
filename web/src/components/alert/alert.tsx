import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { CheckCircleIcon, ErrorIcon, InfoIcon, WarningIcon } from '../icons/icons.tsx'
import styles from './alert.module.css'

const icons = { error: ErrorIcon, warning: WarningIcon, success: CheckCircleIcon, info: InfoIcon }

interface AlertProps {
  severity: keyof typeof icons
  /** A button at the right. */
  action?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** An important message; screen readers announce it when it appears. */
export function Alert({ severity, action, className, children }: AlertProps) {
  const Icon = icons[severity]
  return (
    <div role="alert" className={classNames(styles.alert, styles[severity], className)}>
      <span className={styles.icon}>
        <Icon />
      </span>
      <div className={styles.words}>{children}</div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
