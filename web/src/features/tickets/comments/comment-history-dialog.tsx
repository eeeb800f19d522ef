import { useQuery } from '@tanstack/react-query'
import { getCommentHistory } from '@tessera/contract/tickets/comments'
import { PlainDialog } from '../../../components/dialog/plain-dialog.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { MoreButton } from '../../../components/more-button/more-button.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useOlder } from '../../../lib/calls/use-older.ts'
import { formatDateTime } from '../../../lib/display/format.ts'
import { TextDiff } from '../text/diff/text-diff.tsx'
import styles from './comment-history-dialog.module.css'

interface CommentHistoryDialogProps {
  idTicket: number
  idComment: number
  onClose: () => void
}

/** The versions of a comment, the latest first, each with what it changed. */
export function CommentHistoryDialog({ idTicket, idComment, onClose }: CommentHistoryDialogProps) {
  const latest = useQuery(callQuery(getCommentHistory, { idTicket, idComment }))
  const older = useOlder(getCommentHistory, { idTicket, idComment }, latest.data, ({ Version }) => Version)
  const versions = [...(latest.data ?? []), ...older.rows]
  return (
    <PlainDialog title="Versions of this comment" scrollLabel="Versions" onClose={onClose}>
      {latest.isPending && <Skeleton height={80} />}
      <LoadProblem of={[latest]} />
      <ol>
        {versions.map((version, index) => (
          <li key={version.Version} className={styles.version}>
            <div className={styles.head}>
              Version {version.Version}, {formatDateTime(version.DateChanged)} - {version.Author}
            </div>
            <TextDiff before={versions[index + 1]?.Comment} after={version.Comment} />
          </li>
        ))}
      </ol>
      <MoreButton label="SHOW OLDER VERSIONS" list={older} />
    </PlainDialog>
  )
}
