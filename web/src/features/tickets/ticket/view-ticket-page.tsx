import { useQuery } from '@tanstack/react-query'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { useEffect } from 'react'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { NotFound } from '../../../components/empty-state/not-found.tsx'
import { PageContent } from '../../../components/page-content/page-content.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { hasUnsaved } from '../../../lib/forms/unsaved.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { currentPage, isLoadingPage, navigate } from '../../../lib/navigation/navigation.ts'
import { useIdInAddress } from '../../../lib/navigation/use-navigation.ts'
import { activateProject } from '../../../lib/session/session.tsx'
import { TicketColumns } from './card/ticket-columns.tsx'
import { TicketDetail } from './ticket-detail.tsx'
import styles from './view-ticket-page.module.css'
import { stepInWalk, walkOf } from './walk-steps.ts'

export { takeTicket } from '../first-data.ts'

export function ViewTicketPage() {
  const idTicket = useIdInAddress()
  return idTicket === undefined ? <NotFound noun="ticket" /> : <LoadedTicket key={idTicket} idTicket={idTicket} />
}

/** The keys for the next and previous ticket of the list that this one was opened from. Going back still leads to that list. */
function useListWalk(idTicket: number) {
  const walk = walkOf(idTicket)
  const step = async (by: 1 | -1) => {
    if (!walk) return
    const { pathname } = currentPage().location
    try {
      const next = await stepInWalk(walk, idTicket, by)
      // Too late: the person has gone elsewhere.
      if (isLoadingPage() || currentPage().location.pathname !== pathname) return
      if (next === undefined) {
        notify.info(by === 1 ? 'This is the last ticket of the list' : 'This is the first ticket of the list')
        return
      }
      walk.shown = next
      await navigate(`/view-ticket/${next}`, { replace: true })
    } catch (problem) {
      notify.failure(problem as Error)
    }
  }
  useActions(
    walk
      ? [
          { keys: ']', label: 'Next ticket of the list', run: () => void step(1) },
          { keys: '[', label: 'Previous ticket of the list', run: () => void step(-1) },
        ]
      : [],
  )
}

function LoadedTicket({ idTicket }: { idTicket: number }) {
  const ticket = useQuery(callQuery(getTicketData, { idTicket }))
  const idProject = ticket.data?.idProject
  useListWalk(idTicket)
  // The title bar shows the project of the page.
  useEffect(() => {
    if (idProject !== undefined) activateProject(idProject)
  }, [idProject])
  const isGone = ticket.error?.status === 404
  // What was typed stays readable.
  if (ticket.data && (!isGone || hasUnsaved())) return <TicketDetail ticket={ticket.data} isGone={isGone} />
  if (isGone) return <NotFound noun="ticket" wasHere={ticket.data !== undefined} />
  return (
    <PageContent>
      {ticket.error ? (
        <ErrorState isPage message={ticket.error.message} onRetry={() => void ticket.refetch()} />
      ) : (
        <TicketColumns
          left={
            <div role="status" aria-label="Loading the ticket" className={styles.loading}>
              <Skeleton width="50%" height={32} />
              <Skeleton height={360} />
            </div>
          }
          right={<Skeleton height={220} />}
        />
      )}
    </PageContent>
  )
}
