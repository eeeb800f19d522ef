import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ErrorState } from '../../../components/empty-state/error-state.tsx'
import type { useTicketRows } from './tree/use-ticket-rows.ts'
import { UnreadTickets } from './view/unread-tickets.tsx'

interface BelowRowsProps extends Pick<ReturnType<typeof useTicketRows>, 'roots' | 'rows'> {
  /** Shown when there are no rows. */
  empty: ReactNode
}

/** What follows the rows: why some could not be loaded, that there are none, and the end at which the next ones are loaded. */
export function BelowRows({ roots, rows, empty }: BelowRowsProps) {
  return (
    <>
      {roots.isError && !roots.data && <UnreadTickets problem={roots.error} onRetry={() => void roots.refetch()} />}
      {roots.isFetchNextPageError && (
        <ErrorState
          dense
          title="The next tickets could not be loaded"
          message={roots.error?.message}
          onRetry={() => void roots.fetchNextPage()}
        />
      )}
      {roots.isSuccess && rows.length === 0 && empty}
      {roots.hasNextPage && !roots.isFetchNextPageError && (
        <EndOfList key={rows.length} isBusy={roots.isFetching} onNear={() => void roots.fetchNextPage()} />
      )}
    </>
  )
}

/** Calls `onNear` when the end of the list is near and nothing is being loaded. */
function EndOfList({ isBusy, onNear }: { isBusy: boolean; onNear: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    const observer = new IntersectionObserver(entries => setNear(entries.at(-1)?.isIntersecting === true), { rootMargin: '1200px' })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (isNear && !isBusy) near()
  }, [isNear, isBusy])
  return <div ref={element} />
}
