import { useInfiniteQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { Suspense } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { HistoryIcon, RestoreIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { MoreButton } from '../../../components/more-button/more-button.tsx'
import { moreOf } from '../../../components/more-button/more-of.ts'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { callPages } from '../../../lib/calls/api.ts'
import { useTicketMutation } from '../../../lib/calls/mutations/use-ticket-mutation.ts'
import { saveRequest, type Ticket, type TicketDraft } from '../ticket.ts'
import { ChangeSetNote } from './change-set-note.tsx'
import { EntryHead } from './entry-head.tsx'
import styles from './ticket-history-list.module.css'

const TextDiff = lazy(async () => (await import('../text/diff/text-diff.tsx')).TextDiff)

type Change = Response<typeof getTicketHistory>['Changes'][number]

/** Texts longer than this are shown as a diff, shorter ones as before → after. */
const long = 80

/** Who changed what and when, the latest first, grouped by save. */
export function TicketHistoryList({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const { idTicket } = ticket
  const history = useInfiniteQuery(callPages(getTicketHistory, { idTicket, Limit: 50 }))
  const changes = history.data?.pages.flatMap(page => page.Changes) ?? []
  const sets = Map.groupBy(changes, ({ idChangeSet }) => idChangeSet)
  if (history.isPending) return [0, 1, 2].map(row => <Skeleton key={row} height={34} className={styles.loading} />)
  if (hasFailed(history)) return <LoadProblem of={[history]} title="The history could not be loaded" />
  if (changes.length === 0)
    return (
      <EmptyState dense icon={<HistoryIcon />} title="No changes yet">
        Every save of this ticket will be listed here.
      </EmptyState>
    )
  return (
    <ol>
      {[...sets.values()].map(([first, ...rest]) =>
        first ? (
          <li key={first.idChangeSet} className={styles.set}>
            <EntryHead author={first.Author} at={first.DateChanged} />
            {[first, ...rest].map(change => (
              <ChangeLine key={change.id} change={change} ticket={ticket} blocked={blocked} />
            ))}
            <ChangeSetNote change={first} ticket={ticket} />
          </li>
        ) : null,
      )}
      {history.hasNextPage && (
        <li>
          <MoreButton label="EARLIER CHANGES" list={moreOf(history)} />
        </li>
      )}
    </ol>
  )
}

/** One change of one part of the ticket. */
export function ChangeLine({ change, ticket, blocked }: { change: Change; ticket: Ticket; blocked: string | undefined }) {
  const { Label, Before, After, Restorable, Field } = change
  // A value of a field that the ticket's present type lacks cannot be restored.
  const isShown = !Field.startsWith('data.') || ticket.Fields.some(({ Key }) => Field === `data.${Key}`)
  const isLong = Math.max(Before?.length ?? 0, After?.length ?? 0) > long || /\n/.test(`${Before}${After}`)
  return (
    <div className={styles.change}>
      <div className={styles.words}>
        <b>{Label}</b>{' '}
        {isLong ? (
          <Suspense fallback={<Skeleton />}>
            {/* What is new has nothing to be compared with. */}
            <TextDiff before={Before ?? undefined} after={After ?? ''} />
          </Suspense>
        ) : (
          <>
            {Before !== null && <span className={styles.before}>{Before || '(nothing)'}</span>}
            {' → '}
            {After ?? '(nothing)'}
          </>
        )}
      </div>
      {Restorable !== null && isShown && <RestoreButton ticket={ticket} field={Field} label={Label} value={Restorable} blocked={blocked} />}
    </div>
  )
}

interface RestoreButtonProps {
  ticket: Ticket
  field: string
  label: string
  value: string
  blocked: string | undefined
}

/** Restores the former value, through the normal save with its checks. */
function RestoreButton({ ticket, field, label, value, blocked }: RestoreButtonProps) {
  const save = useTicketMutation(setTicketData, ticket)
  const { pcode, idTicket } = ticket
  const isState = field === 'State'
  const restore = () =>
    save.mutate(
      saveRequest(idTicket, { [field]: isState || field === 'Type' ? Number(value) : value } as Partial<TicketDraft>, ticket.Version),
      {
        onSuccess: () => {
          notify.clear(messages.ticketSaveFailed(pcode, idTicket))
          notify.success(messages.ticketSaved(pcode, idTicket))
        },
        onError: problem => notify.failure(problem, messages.ticketSaveFailed(pcode, idTicket)),
      },
    )
  return (
    <PermissionGate
      idProject={ticket.idProject}
      needs={isState ? permission.changeState : permission.editTickets}
      held={ticket.Permissions}
      reason={blocked}
    >
      {refused => (
        <Button
          variant="text"
          aria-label={`RESTORE THIS VALUE: ${label}`}
          disabled={refused || save.isPending}
          onClick={restore}
          className={styles.restore}
        >
          <RestoreIcon fontSize="small" />
          RESTORE THIS VALUE
        </Button>
      )}
    </PermissionGate>
  )
}
