import { useQueryClient } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { type getTicketComments, setTicketComment } from '@tessera/contract/tickets/comments'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { useTicketMutation } from '../../../../lib/calls/mutations/use-ticket-mutation.ts'
import { RichText } from '../../text/rendering/rich-text.tsx'
import { useTicked } from '../../text/use-ticked.ts'
import type { Ticket } from '../../ticket.ts'

interface CommentTextProps {
  ticket: Ticket
  comment: Response<typeof getTicketComments>[number]
  mayEdit: boolean
}

/** A comment as it is read; its author ticks the boxes of its tasks. */
export function CommentText({ ticket, comment: { idComment, Comment, ChangeCount }, mayEdit }: CommentTextProps) {
  const save = useTicketMutation(setTicketComment, ticket)
  const queries = useQueryClient()
  const [text, tick] = useTicked({ text: Comment, version: ChangeCount }, async (changed, version) => {
    const { Version = version } = await save.mutateAsync(
      { idTicket: ticket.idTicket, idComment, Comment: changed, Version: version },
      {
        onError: problem => {
          notify.failure(problem, messages.commentFailed)
          if (problem.status === 409) void queries.invalidateQueries()
        },
      },
    )
    return Version
  })
  return <RichText text={text} ticket={ticket} onTick={mayEdit ? tick : undefined} />
}
