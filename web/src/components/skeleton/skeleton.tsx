import { classNames } from '../../lib/class-names.ts'
import styles from './skeleton.module.css'

interface SkeletonProps {
  /** In px, or as CSS has it: `60%`. */
  height?: number | string
  width?: number | string
  className?: string | undefined
}

/** Stands where something is still loading. */
export function Skeleton({ height, width, className }: SkeletonProps) {
  return <span aria-hidden className={classNames(styles.skeleton, className)} style={{ height, width }} />
}
