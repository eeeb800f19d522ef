import { Avatar } from '../../../components/avatar/avatar.tsx'
import { TimeAgo } from '../../../components/time-ago/time-ago.tsx'
import { formatDateTime } from '../../../lib/display/format.ts'
import styles from './entry-head.module.css'

/** Who did something and when, in seconds since 1970. */
export function EntryHead({ author, at }: { author: string; at: number }) {
  return (
    <div className={styles.head}>
      <Avatar name={author} />
      <b className={styles.author}>{author}</b>
      <time title={formatDateTime(at)} dateTime={new Date(at * 1000).toISOString()}>
        <TimeAgo at={at} />
      </time>
    </div>
  )
}
