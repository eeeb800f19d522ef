import { useQuery } from '@tanstack/react-query'
import { getTicketData } from '@tessera/contract/tickets'
import { useEffect } from 'react'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import { PageContent } from '../../../components/page-content/page-content.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { callQuery } from '../../../lib/api.ts'
import { useParams } from '../../../lib/navigation/use-navigation.ts'
import { activateProject } from '../../../lib/session.tsx'
import { TicketColumns } from './ticket-columns.tsx'
import { TicketDetail } from './ticket-detail.tsx'
import styles from './view-ticket-page.module.css'

export { takeTicket } from '../first-data.ts'

export function ViewTicketPage() {
  const idTicket = Number(useParams().id)
  return Number.isSafeInteger(idTicket) && idTicket > 0 ? <LoadedTicket key={idTicket} idTicket={idTicket} /> : <NoTicket />
}

function NoTicket() {
  return (
    <PageContent>
      <ErrorState title="There is no such ticket" message="It does not exist, or you may not see it." />
    </PageContent>
  )
}

function LoadedTicket({ idTicket }: { idTicket: number }) {
  const ticket = useQuery(callQuery(getTicketData, { idTicket }))
  const idProject = ticket.data?.idProject
  // The title bar is about the project that is on the page.
  useEffect(() => {
    if (idProject !== undefined) activateProject(idProject)
  }, [idProject])
  if (ticket.data) return <TicketDetail ticket={ticket.data} />
  if (ticket.error?.status === 404) return <NoTicket />
  return (
    <PageContent>
      {ticket.error ? (
        <ErrorState message={ticket.error.message} onRetry={() => void ticket.refetch()} />
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
