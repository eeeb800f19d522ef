import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'react-router'
import { classNames } from '../../lib/class-names.ts'
import styles from './link.module.css'

/** A link to another page; `underlined` inside of running text. */
export function Link({ underlined = false, className, ...link }: { underlined?: boolean } & ComponentProps<typeof RouterLink>) {
  return <RouterLink className={classNames(styles.link, underlined && styles.always, className)} {...link} />
}
