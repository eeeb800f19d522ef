import { useQueryClient } from '@tanstack/react-query'
import type { Request, Response } from '@tessera/contract/call'
import { getTicketComments, newestComments, setCommentReaction } from '@tessera/contract/tickets/comments'
import { useRef } from 'react'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { SmileIcon } from '../../../../components/icons/icons.tsx'
import { Menu } from '../../../../components/menu/menu.tsx'
import { useMenu } from '../../../../components/menu/use-menu.ts'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { Tooltip } from '../../../../components/tooltip/tooltip.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { refetchTicketAfter } from '../../../../lib/calls/mutations/use-ticket-mutation.ts'
import { useSession } from '../../../../lib/session/session.tsx'
import type { Ticket } from '../../ticket.ts'
import { commentHeadId } from './comment-head.tsx'
import styles from './comment-reactions.module.css'
import { allReactions, reactionLooks, withReaction } from './reactions.ts'

interface CommentReactionsProps {
  ticket: Ticket
  comment: Response<typeof getTicketComments>[number]
  mayReact: boolean
}

/** The reactions under a comment, the person's own pressed, and a menu of all eight. */
export function CommentReactions({ ticket, comment, mayReact }: CommentReactionsProps) {
  const { idTicket } = ticket
  const { idComment, Reactions } = comment
  const queries = useQueryClient()
  const me = useSession().displayName
  const { button, menu } = useMenu()
  /** The changes on their way: they are stored one after the other, and the comments are read again after the last one. */
  const storing = useRef<Promise<unknown>>(Promise.resolve())
  const pending = useRef(0)
  const set = useCallMutation(setCommentReaction, client => {
    if (pending.current === 1) refetchTicketAfter(client, setCommentReaction, ticket)
  })
  const isMine = (reaction: string) => Reactions.some(({ Reaction, Mine }) => Reaction === reaction && Mine === 1)
  const toggle = (Reaction: Request<typeof setCommentReaction>['Reaction']) => {
    const change = { idComment, Reaction, Enabled: isMine(Reaction) ? (0 as const) : (1 as const) }
    const { queryKey } = callQuery(getTicketComments, newestComments(idTicket))
    // An answer that is under way lacks the reaction; the comments are read again when it is saved.
    void queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, now => now && withReaction(now, change, me))
    pending.current++
    storing.current = storing.current
      .then(() => set.mutateAsync(change))
      .catch(problem => {
        notify.failure(problem)
        void queries.invalidateQueries({ queryKey })
      })
      .finally(() => pending.current--)
  }
  if (!mayReact && Reactions.length === 0) return null
  return (
    <div className={styles.reactions}>
      {Reactions.map(({ Reaction, Users, Mine }) => {
        const { emoji, name } = reactionLooks[Reaction]
        const words = `${name}: ${Users.join(', ')}`
        return (
          <Tooltip key={Reaction} title={words}>
            <button
              type="button"
              // The name contains the number that is visible on the button (WCAG 2.5.3).
              aria-label={`${name} ${Users.length}: ${Users.join(', ')}`}
              aria-pressed={Mine === 1}
              aria-disabled={!mayReact || undefined}
              className={styles.reaction}
              onClick={() => mayReact && toggle(Reaction)}
            >
              <span aria-hidden>{emoji}</span> {Users.length}
            </button>
          </Tooltip>
        )
      })}
      {mayReact && (
        <>
          <Tooltip title="Add a reaction">
            <IconButton small {...button} aria-label="Add a reaction" aria-describedby={commentHeadId(idComment)} className={styles.add}>
              <SmileIcon fontSize="small" />
            </IconButton>
          </Tooltip>
          <Menu
            label="Reactions"
            {...menu}
            choices={allReactions.map(reaction => ({
              key: reaction,
              label: reactionLooks[reaction].name,
              icon: <span aria-hidden>{reactionLooks[reaction].emoji}</span>,
              isChosen: isMine(reaction),
              detail: isMine(reaction) ? 'yours' : undefined,
              onChoose: () => toggle(reaction),
            }))}
          />
        </>
      )}
    </div>
  )
}
