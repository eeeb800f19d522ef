import type { Response } from '@tessera/contract/call'
import { type getTicketComments, setTicketComment } from '@tessera/contract/comments'
import { messages } from '@tessera/contract/messages'
import { notify } from '../../../components/toaster/toaster.tsx'
import { useCallMutation } from '../../../lib/api.ts'
import { RichText } from '../text/rich-text.tsx'
import { useTicked } from '../text/use-ticked.ts'
import type { Ticket } from '../ticket.ts'

interface CommentTextProps {
  ticket: Ticket
  comment: Response<typeof getTicketComments>[number]
  mayEdit: boolean
}

/** A comment as it is read; its author ticks the boxes of its tasks. */
export function CommentText({ ticket, comment: { idComment, Comment }, mayEdit }: CommentTextProps) {
  const save = useCallMutation(setTicketComment)
  const [text, tick] = useTicked(Comment, changed =>
    save.mutateAsync(
      { idTicket: ticket.idTicket, idComment, Comment: changed },
      { onError: problem => notify.failure(problem, messages.commentFailed) },
    ),
  )
  return <RichText text={text} ticket={ticket} onTick={mayEdit ? tick : undefined} />
}
