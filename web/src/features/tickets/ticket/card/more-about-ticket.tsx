import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketLinks } from '@tessera/contract/tickets/links'
import { Suspense, useDeferredValue, useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { Card } from '../../../../components/card/card.tsx'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { ListIcon } from '../../../../components/icons/icons.tsx'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { PermissionGate } from '../../../../components/permission-gate/permission-gate.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { Tabs } from '../../../../components/tabs/tabs.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { useSearch, withParameters } from '../../../../lib/navigation/use-search.ts'
import { TicketList } from '../../list/ticket-list.tsx'
import type { Ticket } from '../../ticket.ts'
import styles from './more-about-ticket.module.css'

const NewTicketDialog = lazy(async () => (await import('../../new/new-ticket-dialog.tsx')).NewTicketDialog)
const TicketHistoryList = lazy(async () => (await import('../../history/ticket-history-list.tsx')).TicketHistoryList)

const CommentsAndChanges = lazy(async () => (await import('../../history/comments-and-changes.tsx')).CommentsAndChanges)

interface MoreAboutTicketProps {
  ticket: Ticket
  blocked: string | undefined
}

/** The ticket's children and history; rendered after the ticket, because the list is as much work as the rest and is below it. */
export function MoreAboutTicket(props: MoreAboutTicketProps) {
  const isTicketDrawn = useDeferredValue(true, false)
  return isTicketDrawn && <Below {...props} />
}

function Below({ ticket, blocked }: MoreAboutTicketProps) {
  const { idTicket, idProject, pcode } = ticket
  const [search, setSearch] = useSearch()
  const [isAdding, add] = useState(false)
  // Invisible until the links above it are loaded, or it would move when they come.
  const areLinksLoading = useQuery(callQuery(getTicketLinks, { idTicket, References: 1 })).isPending
  const asked = search.get('tab')
  const tab = asked === 'history' || asked === 'timeline' ? asked : 'children'
  const choose = (next: 'history' | 'timeline' | 'children') =>
    setSearch(now => withParameters(now, { tab: next === 'children' ? '' : next }))
  const addButton = (
    <PermissionGate idProject={idProject} needs={permission.createTickets} held={ticket.Permissions} reason={blocked}>
      {refused => (
        <Button disabled={refused} onClick={() => add(true)}>
          ADD TICKET
        </Button>
      )}
    </PermissionGate>
  )
  return (
    <div className={styles.below} data-waiting={areLinksLoading || undefined}>
      <Tabs
        label="More about the ticket"
        value={tab}
        tabs={[
          { value: 'children', label: 'Child Tickets', id: 'tab-children', controls: tab === 'children' ? 'panel-children' : undefined },
          { value: 'history', label: 'History', id: 'tab-history', controls: tab === 'history' ? 'panel-history' : undefined },
          { value: 'timeline', label: 'Timeline', id: 'tab-timeline', controls: tab === 'timeline' ? 'panel-timeline' : undefined },
        ]}
        onChange={choose}
        className={styles.tabs}
      />
      <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} className={tab === 'children' ? styles.children : undefined}>
        {tab === 'children' ? (
          <TicketList
            idProject={idProject}
            idParent={idTicket}
            label="Child Tickets"
            // The tab shows these words already.
            heading={<h2 aria-label="Child Tickets" className={styles.heading} />}
            actions={addButton}
            empty={
              <EmptyState dense icon={<ListIcon />} title="There are no tickets yet">
                {!blocked && (
                  <>
                    Split this ticket into smaller ones: add the first child ticket of{' '}
                    <span className={styles.code}>
                      {pcode}-{idTicket}.
                    </span>
                  </>
                )}
              </EmptyState>
            }
          />
        ) : (
          <Card>
            <Suspense fallback={<Skeleton height={80} className={styles.history} />}>
              {tab === 'history' ? (
                <TicketHistoryList ticket={ticket} blocked={blocked} />
              ) : (
                <CommentsAndChanges ticket={ticket} blocked={blocked} />
              )}
            </Suspense>
          </Card>
        )}
      </div>
      {isAdding && (
        <NewTicketDialog
          idProject={idProject}
          idParent={idTicket}
          parentName={`${pcode}-${idTicket} ${ticket.Title}`}
          onClose={() => add(false)}
        />
      )}
    </div>
  )
}
