import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getTicketComments, newestComments } from '@tessera/contract/tickets/comments'
import { getTicketHistory } from '@tessera/contract/tickets/tickets'
import type { ReactNode } from 'react'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { MoreButton } from '../../../components/more-button/more-button.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { callPages, callQuery } from '../../../lib/calls/api.ts'
import { useOlder } from '../../../lib/calls/use-older.ts'
import { CommentText } from '../comments/rows/comment-text.tsx'
import type { Ticket } from '../ticket.ts'
import { ChangeSetNote } from './change-set-note.tsx'
import styles from './comments-and-changes.module.css'
import { EntryHead } from './entry-head.tsx'
import { ChangeLine } from './ticket-history-list.tsx'

interface Entry {
  key: string
  at: number
  author: string
  content: ReactNode
}

/** Comments and changes in one list, the latest first. */
export function CommentsAndChanges({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const { idTicket } = ticket
  const history = useInfiniteQuery(callPages(getTicketHistory, { idTicket, Limit: 50 }))
  const comments = useQuery(callQuery(getTicketComments, newestComments(idTicket)))
  const older = useOlder(getTicketComments, newestComments(idTicket), comments.data, ({ idComment }) => idComment)
  const loads = [history, comments]
  if (loads.some(hasFailed)) return <LoadProblem of={loads} />
  if (!history.data || !comments.data) return [0, 1, 2].map(row => <Skeleton key={row} height={34} className={styles.loading} />)

  const changes = history.data.pages.flatMap(page => page.Changes)
  const written = [...comments.data, ...older.rows]
  // Comments are listed themselves, in their present form, so changes about them are left out.
  const sets = Map.groupBy(
    changes.filter(({ Field }) => Field !== 'Comment'),
    ({ idChangeSet }) => idChangeSet,
  )
  const entries: Entry[] = [
    ...[...sets].flatMap(([idChangeSet, [first, ...rest]]) =>
      first
        ? {
            key: `change ${idChangeSet}`,
            at: first.DateChanged,
            author: first.Author,
            content: (
              <>
                {[first, ...rest].map(change => (
                  <ChangeLine key={change.id} change={change} ticket={ticket} blocked={blocked} />
                ))}
                <ChangeSetNote change={first} ticket={ticket} />
              </>
            ),
          }
        : [],
    ),
    ...written.map(comment => ({
      key: `comment ${comment.idComment}`,
      at: comment.DateCreated,
      author: comment.Author,
      content: (
        <div className={styles.comment}>
          {comment.DeletedBy === undefined ? (
            <CommentText ticket={ticket} comment={comment} mayEdit={false} />
          ) : (
            <span className={styles.deleted}>This comment was deleted by {comment.DeletedBy}.</span>
          )}
        </div>
      ),
    })),
  ]
  // If one of the lists is not completely loaded, nothing older than its oldest entry can be shown.
  const from = Math.max(
    history.hasNextPage ? (changes.at(-1)?.DateChanged ?? 0) : 0,
    older.hasMore ? (written.at(-1)?.DateCreated ?? 0) : 0,
  )
  const shown = entries.filter(({ at }) => at >= from).toSorted((a, b) => b.at - a.at)
  const earlier = () => {
    if (history.hasNextPage) void history.fetchNextPage()
    if (older.hasMore) older.more()
  }
  return (
    <ol>
      {shown.map(({ key, at, author, content }) => (
        <li key={key} className={styles.entry}>
          <EntryHead author={author} at={at} />
          {content}
        </li>
      ))}
      {shown.length === 0 && <li className={styles.entry}>Nothing has happened here yet.</li>}
      {(history.hasNextPage || older.hasMore) && (
        <li>
          <MoreButton
            label="EARLIER"
            list={{
              hasMore: true,
              isFetching: history.isFetchingNextPage || older.isFetching,
              error: (history.isFetchNextPageError ? history.error : null) ?? older.error,
              more: earlier,
            }}
          />
        </li>
      )}
    </ol>
  )
}
