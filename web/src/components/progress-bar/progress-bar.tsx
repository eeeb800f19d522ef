import { classNames } from '../../lib/display/class-names.ts'
import styles from './progress-bar.module.css'

/** Progress in percent; indeterminate without a `value`. */
export function ProgressBar({ label, value, className }: { label: string; value?: number; className?: string | undefined }) {
  return <progress aria-label={label} max={100} value={value} className={classNames(styles.bar, className)} />
}
