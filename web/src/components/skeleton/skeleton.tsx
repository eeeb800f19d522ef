import { classNames } from '../../lib/display/class-names.ts'
import { rem } from '../../lib/display/larger-font.ts'
import styles from './skeleton.module.css'

interface SkeletonProps {
  /** In px, or as a CSS value: `60%`. */
  height?: number | string
  width?: number | string
  className?: string | undefined
}

const length = (size: number | string | undefined) => (typeof size === 'number' ? rem(size) : size)

/** A placeholder for content that is loading. */
export function Skeleton({ height, width, className }: SkeletonProps) {
  return <span aria-hidden className={classNames(styles.skeleton, className)} style={{ height: length(height), width: length(width) }} />
}
