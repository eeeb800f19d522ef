import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { setTicketNotification } from '@tessera/contract/tickets/watchers'
import { useRef } from 'react'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { callQuery, post } from '../../../../lib/calls/api.ts'
import { useActions } from '../../../../lib/input/actions.ts'
import { runOnArrival } from '../../../../lib/input/run-on-arrival.ts'
import { countSelected, useSelection } from '../../selection/selection.ts'

interface RowKeysOptions {
  idProject: number
  idTicket: number | undefined
  open: () => void
  isOff?: boolean
}

/**
 * Keys for the ticket of the row that had the focus last: they open its page and run the key's action there. While tickets are selected, the keys are
 * about these instead.
 */
export function useRowKeys({ idProject, idTicket, open, isOff = false }: RowKeysOptions) {
  const queries = useQueryClient()
  const hasSelection = countSelected(useSelection(idProject)) > 0
  const isWatching = useRef(false)
  const refused = idTicket === undefined ? 'Move to a ticket first' : undefined
  const openWith = (keys: string) => {
    runOnArrival(keys, `/view-ticket/${idTicket}`)
    open()
  }
  const toggleWatch = async () => {
    if (idTicket === undefined || isWatching.current) return
    isWatching.current = true
    try {
      const { NotificationSubscription } = await queries.fetchQuery(callQuery(getTicketData, { idTicket }))
      await post(setTicketNotification, { idTicket, Notify: NotificationSubscription === 1 ? 0 : 1 })
      void queries.invalidateQueries()
      notify.info(NotificationSubscription === 1 ? messages.notificationsDisabled : messages.notificationsEnabled)
    } catch (problem) {
      notify.failure(problem as Error, messages.notificationFailed)
    } finally {
      isWatching.current = false
    }
  }
  useActions(
    isOff || hasSelection
      ? []
      : [
          { keys: 'e', label: 'Edit the ticket', refused, run: () => openWith('e') },
          { keys: 's', label: 'Change the state of the ticket', refused, run: () => openWith('s') },
          { keys: 'a', label: 'Change the assignees of the ticket', refused, run: () => openWith('a') },
          { keys: 'l', label: 'Change the labels of the ticket', refused, run: () => openWith('l') },
          { keys: 'm', label: 'Watch or stop watching the ticket', refused, run: () => void toggleWatch() },
        ],
  )
}
