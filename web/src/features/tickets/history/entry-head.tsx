import { Avatar } from '../../../components/avatar/avatar.tsx'
import { formatDateTime, formatRelative } from '../../../lib/display/format.ts'
import styles from './entry-head.module.css'

/** Who did something and when, in seconds since 1970. */
export function EntryHead({ author, at }: { author: string; at: number }) {
  return (
    <div className={styles.head}>
      <Avatar name={author} />
      <b className={styles.author}>{author}</b>
      <time title={formatDateTime(at)} dateTime={new Date(at * 1000).toISOString()}>
        {formatRelative(at)}
      </time>
    </div>
  )
}
