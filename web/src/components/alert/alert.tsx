import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { CheckCircleIcon, ErrorIcon, InfoIcon, WarningIcon } from '../icons.tsx'
import styles from './alert.module.css'

const icons = { error: ErrorIcon, warning: WarningIcon, success: CheckCircleIcon, info: InfoIcon }

interface AlertProps {
  severity: keyof typeof icons
  /** At its right: a button. */
  action?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** A few words that must not be missed; screen readers say them as they appear. */
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
