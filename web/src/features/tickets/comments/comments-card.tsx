import { useQuery } from '@tanstack/react-query'
import { getTicketComments } from '@tessera/contract/comments'
import { permission } from '@tessera/contract/permissions'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { cardClass } from '../../../components/card/card.tsx'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { MoreButton } from '../../../components/more-button/more-button.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useOlder } from '../../../lib/calls/use-older.ts'
import { classNames } from '../../../lib/display/class-names.ts'
import { readKept, useKept } from '../../../lib/forms/kept.ts'
import { isFocusNowhere } from '../../../lib/navigation/arrival.ts'
import { withoutUploads } from '../text/editor/uploading.ts'
import type { Ticket } from '../ticket.ts'
import { CommentEditor } from './comment-editor.tsx'
import { CommentHead } from './comment-head.tsx'
import { CommentReactions } from './comment-reactions.tsx'
import { CommentText } from './comment-text.tsx'
import styles from './comments-card.module.css'

const CommentHistoryDialog = lazy(async () => ({ default: (await import('./comment-history-dialog.tsx')).CommentHistoryDialog }))

interface Edited {
  idComment: number
  text: string
  before: string
  version: number
}

interface CommentsCardProps {
  ticket: Ticket
  blocked: string | undefined
  /** Tells whether something is typed here that is not saved. */
  onDirtyChange: (isDirty: boolean) => void
}

export function CommentsCard({ ticket, blocked, onDirtyChange }: CommentsCardProps) {
  const { idTicket } = ticket
  const comments = useQuery(callQuery(getTicketComments, { idTicket, Editable: 1 }))
  const older = useOlder(getTicketComments, { idTicket, Editable: 1 }, comments.data, ({ idComment }) => idComment)
  const [kept] = useState(() => readKept<{ text: string; edited?: Edited }>(`comment-${idTicket}`))
  const [text, setText] = useState(() => withoutUploads(kept?.value.text ?? ''))
  const [added, countAdded] = useState(0)
  const [edited, edit] = useState<Edited | undefined>(kept?.value.edited)
  const [shown, show] = useState<number>()
  const mayComment = !blocked && ticket.Permissions.includes(permission.comment)
  const isDirty = text.trim() !== '' || (edited !== undefined && edited.text !== edited.before)
  useKept(`comment-${idTicket}`, isDirty ? { text, edited } : undefined)
  const [keptAt, setKeptAt] = useState(isDirty ? kept?.at : undefined)
  const tell = useEffectEvent(onDirtyChange)
  useEffect(() => tell(isDirty), [isDirty])
  const card = useRef<HTMLElement>(null)
  /** Makes a change that removes the focused element, and moves the focus to the element that the selector finds then. */
  const changeAndFocus = (change: () => void, selector: string) => {
    flushSync(change)
    if (isFocusNowhere()) card.current?.querySelector<HTMLElement>(selector)?.focus()
  }
  const stopEditing = () => changeAndFocus(() => edit(undefined), `[data-comment="${edited?.idComment}"] [aria-label="Edit comment"]`)

  return (
    <section ref={card} aria-label="Comments" className={classNames(cardClass, styles.card)}>
      <div className={styles.add}>
        <PermissionGate idProject={ticket.idProject} needs={permission.comment} held={ticket.Permissions} reason={blocked} isWide>
          {refused => (
            <CommentEditor
              key={added}
              ticket={ticket}
              label="Add comment"
              text={text}
              onChange={setText}
              disabled={refused}
              keptAt={kept?.value.text ? keptAt : undefined}
              onDiscard={() => {
                setKeptAt(undefined)
                setText('')
              }}
              onSaved={() =>
                changeAndFocus(() => {
                  setKeptAt(undefined)
                  setText('')
                  countAdded(added + 1)
                }, 'textarea')
              }
            />
          )}
        </PermissionGate>
      </div>
      {comments.isPending &&
        [0, 1].map(row => (
          <div key={row} aria-hidden className={styles.loading}>
            <Skeleton width={180} height={12} />
            <Skeleton height={14} />
          </div>
        ))}
      {comments.isError && !comments.data && (
        <ErrorState
          dense
          title="The comments could not be loaded"
          message={comments.error.message}
          onRetry={() => void comments.refetch()}
        />
      )}
      {comments.data?.length === 0 && <div className={styles.none}>No comments yet. The first one starts the conversation.</div>}
      <ol className={styles.list}>
        {[...(comments.data ?? []), ...older.rows].map(comment => (
          <li key={comment.idComment} data-comment={comment.idComment} className={styles.comment}>
            <CommentHead
              comment={comment}
              mayEdit={comment.Editable === 1 && mayComment && edited === undefined}
              mayDelete={
                comment.DeletedBy === undefined &&
                edited?.idComment !== comment.idComment &&
                ((comment.Editable === 1 && mayComment) || (!blocked && ticket.Permissions.includes(permission.manageProject)))
              }
              onEdit={() =>
                edit({
                  idComment: comment.idComment,
                  text: comment.Comment,
                  before: comment.Comment,
                  version: comment.ChangeCount,
                })
              }
              onHistory={() => show(comment.idComment)}
            />
            {edited?.idComment === comment.idComment ? (
              <CommentEditor
                ticket={ticket}
                idComment={comment.idComment}
                label="Edit comment"
                text={edited.text}
                before={edited.before}
                version={edited.version}
                onChange={changed => edit({ ...edited, text: changed })}
                keptAt={kept?.value.edited?.idComment === comment.idComment ? keptAt : undefined}
                onDiscard={stopEditing}
                onSaved={stopEditing}
                onConflict={({ Comment, Version }) => edit({ ...edited, before: Comment, version: Version })}
                onCancel={stopEditing}
              />
            ) : comment.DeletedBy !== undefined ? (
              <div className={styles.deleted}>This comment was deleted by {comment.DeletedBy}.</div>
            ) : (
              <CommentText ticket={ticket} comment={comment} mayEdit={comment.Editable === 1 && mayComment} />
            )}
            {comment.DeletedBy === undefined && <CommentReactions ticket={ticket} comment={comment} mayReact={mayComment} />}
          </li>
        ))}
      </ol>
      <MoreButton label="SHOW OLDER COMMENTS" list={older} />
      <Suspense>
        {shown !== undefined && <CommentHistoryDialog idTicket={idTicket} idComment={shown} onClose={() => show(undefined)} />}
      </Suspense>
    </section>
  )
}
