import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketComments } from '@tessera/contract/tickets/comments'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { cardClass } from '../../../components/card/card.tsx'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { MoreButton } from '../../../components/more-button/more-button.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useOlder } from '../../../lib/calls/use-older.ts'
import { classNames } from '../../../lib/display/class-names.ts'
import { readKept, useKept } from '../../../lib/forms/drafts/kept.ts'
import { keepFocus } from '../../../lib/input/keep-focus.ts'
import { isFocusNowhere } from '../../../lib/navigation/arrival.ts'
import { withoutUploads } from '../text/editor/uploading.ts'
import type { Ticket } from '../ticket.ts'
import { CommentEditor } from './comment-editor.tsx'
import styles from './comments-card.module.css'
import { CommentRow, type Edited } from './rows/comment-row.tsx'

const CommentHistoryDialog = lazy(async () => ({ default: (await import('./comment-history-dialog.tsx')).CommentHistoryDialog }))

interface CommentsCardProps {
  ticket: Ticket
  blocked: string | undefined
  /** Called when unsaved text appears or disappears. */
  onDirtyChange: (isDirty: boolean) => void
}

const editButton = (idComment: number | undefined) => `[data-comment="${idComment}"] [aria-label="Edit comment"]`

export function CommentsCard({ ticket, blocked, onDirtyChange }: CommentsCardProps) {
  const { idTicket } = ticket
  const comments = useQuery(callQuery(getTicketComments, { idTicket, Editable: 1 }))
  const older = useOlder(getTicketComments, { idTicket, Editable: 1 }, comments.data, ({ idComment }) => idComment)
  const [kept] = useState(() => readKept<{ text: string; edited?: Edited }>(`comment-${idTicket}`))
  const [text, showText] = useState(() => withoutUploads(kept?.value.text ?? ''))
  const typed = useRef(text)
  const setText = (changed: string) => {
    typed.current = changed
    showText(changed)
  }
  const [added, countAdded] = useState(0)
  /** For screen readers. */
  const [said, say] = useState('')
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
  const rows = [...(comments.data ?? []), ...older.rows]
  const stopEditing = () => changeAndFocus(() => edit(undefined), editButton(edited?.idComment))
  const isEditedShown = rows.some(({ idComment }) => idComment === edited?.idComment)
  const editor = edited && (
    <CommentEditor
      ticket={ticket}
      idComment={edited.idComment}
      label="Edit comment"
      text={edited.text}
      before={edited.before}
      version={edited.version}
      onChange={changed => edit({ ...edited, text: changed })}
      keptAt={kept?.value.edited?.idComment === edited.idComment ? keptAt : undefined}
      onDiscard={stopEditing}
      onSaved={(stored, version = edited.version) =>
        changeAndFocus(
          // What was typed while it was sent is the next edit.
          () => edit(now => (now && now.text !== stored ? { ...now, before: stored, version } : undefined)),
          editButton(edited.idComment),
        )
      }
      onConflict={({ Comment, Version }) => edit(now => now && { ...now, before: Comment, version: Version })}
      onCancel={stopEditing}
    />
  )

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
              onChange={changed => {
                say('')
                setText(changed)
              }}
              disabled={refused}
              keptAt={kept?.value.text ? keptAt : undefined}
              onDiscard={() => {
                setKeptAt(undefined)
                setText('')
              }}
              onSaved={stored => {
                // What was typed while the comment was sent stays.
                const rest = typed.current.startsWith(stored) ? typed.current.slice(stored.length).trimStart() : typed.current
                changeAndFocus(() => {
                  setKeptAt(undefined)
                  setText(rest)
                  say('Comment added')
                  if (rest === '') countAdded(added + 1)
                }, 'textarea')
              }}
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
      {comments.isError && !comments.data && (
        <ErrorState
          dense
          title="The comments could not be loaded"
          message={comments.error.message}
          onRetry={() => void comments.refetch()}
        />
      )}
      {comments.data?.length === 0 && <div className={styles.none}>No comments yet. The first one starts the conversation.</div>}
      {editor && comments.data && !isEditedShown && (
        <div className={styles.comment}>
          <div className={styles.older}>You are editing an older comment.</div>
          {editor}
        </div>
      )}
      <ol ref={keepFocus} className={styles.list}>
        {rows.map(comment => (
          <CommentRow
            key={comment.idComment}
            ticket={ticket}
            comment={comment}
            editor={edited?.idComment === comment.idComment ? editor : undefined}
            mayComment={mayComment}
            mayEdit={mayComment && edited === undefined}
            mayDeleteAll={!blocked && ticket.Permissions.includes(permission.manageProject)}
            onEdit={edit}
            onHistory={show}
          />
        ))}
      </ol>
      <MoreButton label="SHOW OLDER COMMENTS" list={older} />
      <Suspense>
        {shown !== undefined && <CommentHistoryDialog idTicket={idTicket} idComment={shown} onClose={() => show(undefined)} />}
      </Suspense>
    </section>
  )
}
