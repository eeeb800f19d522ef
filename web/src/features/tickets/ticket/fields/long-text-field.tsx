import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import type { ComponentProps } from 'react'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useTicketMutation } from '../../../../lib/calls/mutations/use-ticket-mutation.ts'
import { TextEditor } from '../../text/text-editor.tsx'
import { useTicked } from '../../text/use-ticked.ts'
import { withSaved } from '../../ticket.ts'

interface LongTextFieldProps extends Omit<ComponentProps<typeof TextEditor>, 'onTick'> {
  /** The field's database key. */
  fieldKey: string
  stored: string
}

/** The editor of a long text. A box that is ticked in the preview is saved at once, unless the text has other changes that are not saved. */
export function LongTextField({ ticket, fieldKey, stored, value, onChange, ...editor }: LongTextFieldProps) {
  const queries = useQueryClient()
  const save = useTicketMutation(setTicketData, ticket)
  const { idTicket, pcode } = ticket
  const { queryKey } = callQuery(getTicketData, { idTicket })
  const [text, tick] = useTicked({ text: stored, version: ticket.Version }, async (changed, version) => {
    const request = { idTicket, data: { [fieldKey]: changed }, Version: version }
    const { Version } = await save.mutateAsync(request, {
      onSuccess: answer => queries.setQueryData(queryKey, now => now && withSaved(now, request, answer, [])),
      onError: problem => {
        notify.failure(problem, messages.ticketSaveFailed(pcode, idTicket))
        if (problem.status === 409) void queries.invalidateQueries()
      },
    })
    return Version
  })
  const isChanged = value !== stored
  const change = isChanged ? onChange : tick
  const onTick = editor.readOnly ? undefined : change
  return <TextEditor ticket={ticket} value={isChanged ? value : text} onChange={onChange} onTick={onTick} {...editor} />
}
