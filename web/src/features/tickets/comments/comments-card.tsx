import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketComments, newestComments } from '@tessera/contract/tickets/comments'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { cardClass } from '../../../components/card/card.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { MoreButton } from '../../../components/more-button/more-button.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useOlder } from '../../../lib/calls/use-older.ts'
import { classNames } from '../../../lib/display/class-names.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { isFocusNowhere, keepFocus } from '../../../lib/input/keep-focus.ts'
import { refusalOf, type Ticket } from '../ticket.ts'
import { CommentEditor } from './comment-editor.tsx'
import styles from './comments-card.module.css'
import { CommentRow } from './rows/comment-row.tsx'
import { useCommentDrafts } from './use-comment-drafts.ts'

const CommentHistoryDialog = lazy(async () => (await import('./comment-history-dialog.tsx')).CommentHistoryDialog)

interface CommentsCardProps {
  ticket: Ticket
  blocked: string | undefined
  /** Called when unsaved text appears or disappears. */
  onDirtyChange: (isDirty: boolean) => void
}

const editButton = (idComment: number | undefined) => `[data-comment="${idComment}"] [aria-label="Edit comment"]`

export function CommentsCard({ ticket, blocked, onDirtyChange }: CommentsCardProps) {
  const { idTicket } = ticket
  const comments = useQuery(callQuery(getTicketComments, newestComments(idTicket)))
  const older = useOlder(getTicketComments, newestComments(idTicket), comments.data, ({ idComment }) => idComment)
  const { edited, ...drafts } = useCommentDrafts(idTicket, onDirtyChange)
  const [added, countAdded] = useState(0)
  /** For screen readers. */
  const [said, say] = useState('')
  const [shown, show] = useState<number>()
  const mayComment = !blocked && ticket.Permissions.includes(permission.comment)
  const card = useRef<HTMLElement>(null)
  const write = () => {
    // Its box is hidden while the preview is shown; WRITE is the first tab.
    flushSync(() => card.current?.querySelector<HTMLElement>('[role=tab]')?.click())
    card.current?.querySelector('textarea')?.focus()
  }
  useActions([{ label: 'Write a comment', refused: refusalOf(ticket, permission.comment, blocked), run: write }])
  /** Makes a change that removes the focused element, and moves the focus to the element that the selector finds then. */
  const changeAndFocus = (change: () => void, selector: string) => {
    flushSync(change)
    if (isFocusNowhere()) card.current?.querySelector<HTMLElement>(selector)?.focus()
  }
  const rows = [...(comments.data ?? []), ...older.rows]
  const stopEditing = () => changeAndFocus(() => drafts.edit(undefined), editButton(edited?.idComment))
  const isEditedShown = rows.some(({ idComment }) => idComment === edited?.idComment)
  const editor = edited && (
    <CommentEditor
      ticket={ticket}
      idComment={edited.idComment}
      label="Edit comment"
      text={edited.text}
      before={edited.before}
      version={edited.version}
      onChange={changed => drafts.edit({ ...edited, text: changed })}
      keptAt={edited.keptAt}
      onDiscard={stopEditing}
      onSaved={(stored, version) => changeAndFocus(() => drafts.editSaved(stored, version), editButton(edited.idComment))}
      onConflict={({ Comment, Version }) => drafts.editOver(Comment, Version)}
      onCancel={stopEditing}
    />
  )

  return (
    <section ref={card} id="comments" tabIndex={-1} aria-label="Comments" className={classNames(cardClass, styles.card)}>
      <div className={styles.add}>
        <PermissionGate idProject={ticket.idProject} needs={permission.comment} held={ticket.Permissions} reason={blocked} isWide>
          {refused => (
            <CommentEditor
              key={added}
              ticket={ticket}
              label="Add comment"
              text={drafts.text}
              onChange={changed => {
                say('')
                drafts.setText(changed)
              }}
              disabled={refused}
              keptAt={drafts.textKeptAt}
              onDiscard={() => changeAndFocus(drafts.discardText, 'textarea')}
              onSaved={stored =>
                changeAndFocus(() => {
                  say('Comment added')
                  if (drafts.textSaved(stored) === '') countAdded(added + 1)
                }, 'textarea')
              }
            />
          )}
        </PermissionGate>
        <VisuallyHidden role="status">{said}</VisuallyHidden>
      </div>
      {comments.isPending &&
        [0, 1].map(row => (
          <div key={row} aria-hidden className={styles.loading}>
            <Skeleton width={180} height={12} />
            <Skeleton height={14} />
          </div>
        ))}
      <LoadProblem of={[comments]} title="The comments could not be loaded" />
      {comments.data?.length === 0 && <div className={styles.none}>No comments yet. The first one starts the conversation.</div>}
      {editor && comments.data && !isEditedShown && (
        <div className={styles.comment}>
          <div className={styles.older}>You are editing an older comment.</div>
          {editor}
        </div>
      )}
      <ol ref={keepFocus}>
        {rows.map(comment => (
          <CommentRow
            key={comment.idComment}
            ticket={ticket}
            comment={comment}
            editor={edited?.idComment === comment.idComment ? editor : undefined}
            mayComment={mayComment}
            mayEdit={mayComment && edited === undefined}
            mayDeleteAll={!blocked && ticket.Permissions.includes(permission.manageProject)}
            onEdit={drafts.edit}
            onHistory={show}
          />
        ))}
      </ol>
      <MoreButton label="SHOW OLDER COMMENTS" list={older} />
      {shown !== undefined && <CommentHistoryDialog idTicket={idTicket} idComment={shown} onClose={() => show(undefined)} />}
    </section>
  )
}
