import type { Response } from '@tessera/contract/call'
import { deleteComment, type getTicketComments, restoreComment } from '@tessera/contract/tickets/comments'
import { Avatar } from '../../../../components/avatar/avatar.tsx'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { DeleteIcon, EditIcon, HistoryIcon } from '../../../../components/icons/icons.tsx'
import { TimeAgo } from '../../../../components/time-ago/time-ago.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { undo } from '../../../../components/toaster/undo.ts'
import { Tooltip } from '../../../../components/tooltip/tooltip.tsx'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { formatDateTime } from '../../../../lib/display/format.ts'
import styles from './comment-head.module.css'

type Comment = Response<typeof getTicketComments>[number]

interface CommentHeadProps {
  comment: Comment
  mayEdit: boolean
  mayDelete: boolean
  onEdit: () => void
  onHistory: () => void
}

/** The element that tells the buttons of one comment from those of another: its author and time. */
export const commentHeadId = (idComment: number) => `comment-head-${idComment}`

/** Who wrote a comment and when, and what can be done with it. */
export function CommentHead({ comment, mayEdit, mayDelete, onEdit, onHistory }: CommentHeadProps) {
  const { idComment, DateCreated, Author, ChangeCount } = comment
  const remove = useCallMutation(deleteComment)
  const restore = useCallMutation(restoreComment)
  const deleteIt = () =>
    remove.mutate(
      { idComment },
      {
        onSuccess: () =>
          notify.success(
            'Comment deleted',
            undo(() => restore.mutateAsync({ idComment }).then(() => 'The comment is back')),
          ),
        onError: problem => notify.failure(problem),
      },
    )
  return (
    <div className={styles.head}>
      <Avatar name={Author} />
      <span id={commentHeadId(idComment)}>
        {formatDateTime(DateCreated)} -{' '}
        <span className={styles.by}>
          <span className={styles.author}>{Author}</span>{' '}
          <time className={styles.time} title={formatDateTime(DateCreated)} dateTime={new Date(DateCreated * 1000).toISOString()}>
            <TimeAgo at={DateCreated} />
          </time>
        </span>
      </span>
      <span className={styles.buttons}>
        {ChangeCount > 1 && (
          <Tooltip title={`Changed: ${ChangeCount} versions`}>
            <IconButton small aria-label="Versions of this comment" aria-describedby={commentHeadId(idComment)} onClick={onHistory}>
              <HistoryIcon fontSize="small" />
            </IconButton>
          </Tooltip>
        )}
        {mayEdit && (
          <Tooltip title="Edit comment">
            <IconButton small aria-label="Edit comment" aria-describedby={commentHeadId(idComment)} onClick={onEdit}>
              <EditIcon fontSize="small" />
            </IconButton>
          </Tooltip>
        )}
        {mayDelete && (
          <Tooltip title="Delete comment">
            <IconButton
              small
              aria-label="Delete comment"
              aria-describedby={commentHeadId(idComment)}
              disabled={remove.isPending}
              onClick={deleteIt}
            >
              <DeleteIcon fontSize="small" />
            </IconButton>
          </Tooltip>
        )}
      </span>
    </div>
  )
}
