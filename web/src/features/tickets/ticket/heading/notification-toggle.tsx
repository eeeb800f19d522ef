import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { BellIcon, BellOffIcon } from '../../../../components/icons/icons.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { Tooltip } from '../../../../components/tooltip/tooltip.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useTicketMutation } from '../../../../lib/calls/mutations/use-ticket-mutation.ts'
import { useMediaQuery } from '../../../../lib/display/use-media-query.ts'
import { useActions } from '../../../../lib/input/actions.ts'
import type { Ticket } from '../../ticket.ts'

/** The bell: whether the person gets mail about this ticket. */
export function NotificationToggle({ ticket }: { ticket: Ticket }) {
  const { idTicket, NotificationSubscription } = ticket
  const toggle = useTicketMutation(setTicketNotification, ticket)
  const queries = useQueryClient()
  const hasTooltip = !useMediaQuery('(hover: none)')
  const isOn = NotificationSubscription === 1
  const label = isOn ? messages.notificationsEnabled : messages.notificationsDisabled
  const change = (onSuccess?: () => void) => {
    if (toggle.isPending) return
    const Notify: 0 | 1 = isOn ? 0 : 1
    toggle.mutate(
      { idTicket, Notify },
      {
        onSuccess: () => {
          // The next click must not wait until the ticket has been read again.
          queries.setQueryData(
            callQuery(getTicketData, { idTicket }).queryKey,
            ticket => ticket && { ...ticket, NotificationSubscription: Notify },
          )
          onSuccess?.()
        },
        onError: problem => notify.failure(problem, messages.notificationFailed),
      },
    )
  }
  // A toast, because people who use the key may be looking elsewhere, and touch shows no tooltip.
  const tell = () => notify.info(isOn ? messages.notificationsDisabled : messages.notificationsEnabled)
  useActions([{ keys: 'm', label: 'Watch or stop watching the ticket', run: () => change(tell) }])
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} aria-pressed={isOn} onClick={() => change(hasTooltip ? undefined : tell)}>
        {isOn ? <BellIcon /> : <BellOffIcon />}
      </IconButton>
    </Tooltip>
  )
}
