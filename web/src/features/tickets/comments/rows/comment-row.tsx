import type { Response } from '@tessera/contract/call'
import type { getTicketComments } from '@tessera/contract/tickets/comments'
import { memo, type ReactNode } from 'react'
import type { Ticket } from '../../ticket.ts'
import styles from '../comments-card.module.css'
import { CommentHead } from './comment-head.tsx'
import { CommentReactions } from './comment-reactions.tsx'
import { CommentText } from './comment-text.tsx'

/** A comment that is being edited: the text as typed, and the stored text that it replaces with its version. */
export interface Edited {
  idComment: number
  text: string
  before: string
  version: number
  /** When it was typed, if that was before the page was loaded. */
  keptAt?: number | undefined
}

interface CommentRowProps {
  ticket: Ticket
  comment: Response<typeof getTicketComments>[number]
  /** Shown instead of the text. */
  editor: ReactNode
  mayComment: boolean
  mayEdit: boolean
  /** Other people's comments too. */
  mayDeleteAll: boolean
  onEdit: (edited: Edited) => void
  onHistory: (idComment: number) => void
}

/** Memoized: a ticket may have thousands of comments, and each key typed in the box above renders the card. */
export const CommentRow = memo(function CommentRow(props: CommentRowProps) {
  const { ticket, comment, editor, mayComment, mayEdit, mayDeleteAll, onEdit, onHistory } = props
  const { idComment, Comment, ChangeCount, DeletedBy } = comment
  const isOwn = comment.Editable === 1
  return (
    <li data-comment={idComment} className={styles.comment}>
      <CommentHead
        comment={comment}
        mayEdit={isOwn && mayEdit}
        mayDelete={DeletedBy === undefined && !editor && ((isOwn && mayComment) || mayDeleteAll)}
        onEdit={() => onEdit({ idComment, text: Comment, before: Comment, version: ChangeCount })}
        onHistory={() => onHistory(idComment)}
      />
      {editor ||
        (DeletedBy !== undefined ? (
          <div className={styles.deleted}>This comment was deleted by {DeletedBy}.</div>
        ) : (
          <CommentText ticket={ticket} comment={comment} mayEdit={isOwn && mayComment} />
        ))}
      {DeletedBy === undefined && <CommentReactions ticket={ticket} comment={comment} mayReact={mayComment} />}
    </li>
  )
})
