import { classNames } from '../../lib/display/class-names.ts'
import { PageLink, type PageLinkProps } from '../../lib/navigation/page-link.tsx'
import styles from './link.module.css'

/** A link to another page; `underlined` for running text. */
export function Link({ underlined = false, className, ...link }: { underlined?: boolean } & PageLinkProps) {
  return <PageLink className={classNames(styles.link, underlined && styles.always, className)} {...link} />
}
