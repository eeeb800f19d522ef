import { messages } from '@tessera/contract/messages'
import { createNewTicket } from '@tessera/contract/tickets/tickets'
import { useEffect, useEffectEvent, useState } from 'react'
import { notify } from '../../../components/toaster/toaster.tsx'
import { SessionTimedOut } from '../../../lib/calls/api.ts'
import { refetchAfter } from '../../../lib/calls/live/refetch-after.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import type { useNewTitle } from './use-new-title.ts'

/** What is done after the ticket has been created. */
type Then = 'close' | 'add another' | 'open'

const goneMessage =
  'The project, the ticket type or the parent was deleted meanwhile, or you no longer have access. What you typed stays here until you close the dialog.'

interface Creation {
  /** The new ticket, without its title. */
  ticket: { idProject: number; idTemplate: number | undefined; idParent?: number | undefined; data?: Record<string, string> | undefined }
  shortCode: string
  /** The types are not here yet. */
  isLoading: boolean
  title: ReturnType<typeof useNewTitle>
  onClose: () => void
}

/** Creates the ticket, at once or as soon as the types are here. */
export function useCreation({ ticket, shortCode, isLoading, title, onClose }: Creation) {
  const { form, discard, created } = title
  const { idProject, idTemplate, idParent, data } = ticket
  const [error, setError] = useState<string>()
  /** What was asked for before the types came; done once they are here. */
  const [awaited, wait] = useState<Then>()
  const create = useCallMutation(
    createNewTicket,
    (queries, { idProject }) => refetchAfter(queries, { idProject, kind: 'create-new-ticket' }),
    { survivesReload: true },
  )
  const submit = (then: Then) =>
    form.handleSubmit(({ Title }) => {
      if (isLoading) return wait(then)
      if (!idTemplate || create.isPending) return
      setError(undefined)
      const creating = create.mutateAsync(
        { idProject, idTemplate, Title: Title.trim(), ...(idParent && { idParent }), ...(data && { data }) },
        {
          onSuccess: ([idTicket = 0]) => {
            const openTicket = () => void navigate(`/view-ticket/${idTicket}`)
            notify.clear(messages.ticketCreationFailed)
            notify.success(
              messages.ticketCreated(shortCode, idTicket),
              then === 'close' ? { label: 'OPEN', onClick: openTicket } : undefined,
            )
            if (then === 'add another') return discard(Title)
            onClose()
            if (then === 'open') openTicket()
          },
          onError: problem => {
            if (problem instanceof SessionTimedOut) return
            notify.error(messages.ticketCreationFailed)
            setError(problem.status === 404 ? goneMessage : problem.message)
          },
        },
      )
      // The callbacks above are for the open dialog: by the browser's Back it is left while the ticket is created.
      creating.then(
        () => created(Title),
        () => undefined,
      )
    })
  const carryOn = useEffectEvent(() => {
    if (!awaited) return
    wait(undefined)
    void submit(awaited)()
  })
  useEffect(() => {
    if (!isLoading) carryOn()
  }, [isLoading])
  return { submit, error, isBusy: create.isPending || awaited !== undefined, isWaiting: awaited !== undefined }
}
