import { classNames } from '../../lib/display/class-names.ts'
import { inRem } from '../../lib/display/in-rem.ts'
import styles from './skeleton.module.css'

interface SkeletonProps {
  /** In px, or as a CSS value: `60%`. */
  height?: number | string
  width?: number | string
  className?: string | undefined
}

const length = (size: number | string | undefined) => (typeof size === 'number' ? inRem(`${size}px`) : size)

/** A placeholder for content that is loading. */
export function Skeleton({ height, width, className }: SkeletonProps) {
  return <span aria-hidden className={classNames(styles.skeleton, className)} style={{ height: length(height), width: length(width) }} />
}
