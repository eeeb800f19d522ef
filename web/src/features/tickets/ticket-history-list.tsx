import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketHistory, setTicketData } from '@tessera/contract/tickets'
import { Suspense } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { HistoryIcon, RestoreIcon } from '../../components/icons.tsx'
import { lazy } from '../../components/lazy.tsx'
import { PermissionGate } from '../../components/permission-gate.tsx'
import { notify } from '../../components/toaster.tsx'
import { callPages, useCallMutation } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { saveRequest, type Ticket, type TicketDraft } from './use-ticket-draft.ts'

const TextDiff = lazy(async () => ({ default: (await import('./text-diff.tsx')).TextDiff }))

type Change = Response<typeof getTicketHistory>['Changes'][number]

/** Texts longer than this are shown as a diff, shorter ones as before → after. */
const long = 80

/** Who changed what and when, the latest first; changes of one save stand together. */
export function TicketHistoryList({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const { idTicket } = ticket
  const history = useInfiniteQuery(callPages(getTicketHistory, { idTicket, Limit: 50 }))
  const changes = history.data?.pages.flatMap(page => page.Changes) ?? []
  const sets = Map.groupBy(changes, ({ idChangeSet }) => idChangeSet)
  if (history.isPending) return [0, 1, 2].map(row => <Skeleton key={row} height={56} sx={{ mx: 1.75 }} />)
  if (history.isError && !history.data)
    return (
      <ErrorState dense title="The history could not be loaded" message={history.error.message} onRetry={() => void history.refetch()} />
    )
  if (changes.length === 0)
    return (
      <EmptyState dense icon={<HistoryIcon />} title="No changes yet">
        Each save of this ticket will stand here.
      </EmptyState>
    )
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {[...sets.values()].map(([first, ...rest]) =>
        first ? (
          <Box component="li" key={first.idChangeSet} sx={{ px: 1.75, py: 1.25, '& + &': { borderTop: 1, borderColor: 'hairline' } }}>
            <Box sx={{ mb: 0.5, fontSize: 12, color: 'text.secondary' }}>
              {formatDateTime(first.DateChanged)} - {first.Author}
            </Box>
            {[first, ...rest].map(change => (
              <ChangeLine key={change.id} change={change} ticket={ticket} blocked={blocked} />
            ))}
          </Box>
        ) : null,
      )}
      {history.hasNextPage && (
        <Box component="li" sx={{ p: 1.5, textAlign: 'center' }}>
          <Button disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            EARLIER CHANGES
          </Button>
        </Box>
      )}
    </Box>
  )
}

function ChangeLine({ change, ticket, blocked }: { change: Change; ticket: Ticket; blocked: string | undefined }) {
  const { Label, Before, After, Restorable, Field } = change
  const isLong = Math.max(Before?.length ?? 0, After?.length ?? 0) > long || /\n/.test(`${Before}${After}`)
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1.5, py: 0.5, minHeight: 32 }}>
      <Box sx={{ flex: 1, minWidth: 0, fontSize: 13, lineHeight: '20px', overflowWrap: 'anywhere' }}>
        <Box component="span" sx={{ fontWeight: 600 }}>
          {Label}
        </Box>{' '}
        {isLong ? (
          <Suspense fallback={<Skeleton />}>
            <TextDiff before={Before ?? ''} after={After ?? ''} />
          </Suspense>
        ) : (
          <>
            {Before !== null && (
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {Before || '(nothing)'}
              </Box>
            )}
            {' → '}
            {After ?? '(nothing)'}
          </>
        )}
      </Box>
      {Restorable !== null && <RestoreButton ticket={ticket} field={Field} value={Restorable} blocked={blocked} />}
    </Box>
  )
}

/** Puts the value back as it was, through the normal save with its checks. */
function RestoreButton({ ticket, field, value, blocked }: { ticket: Ticket; field: string; value: string; blocked: string | undefined }) {
  const save = useCallMutation(setTicketData)
  const { pcode, idTicket } = ticket
  const isState = field === 'State'
  const restore = () =>
    save.mutate(saveRequest(idTicket, { [field]: isState ? Number(value) : value } as Partial<TicketDraft>, ticket.Version), {
      onSuccess: () => notify.success(messages.ticketSaved(pcode, idTicket)),
      onError: problem => notify.failure(problem, messages.ticketSaveFailed(pcode, idTicket)),
    })
  return (
    <PermissionGate
      idProject={ticket.idProject}
      needs={isState ? permission.changeState : permission.editTickets}
      held={ticket.Permissions}
      reason={blocked}
    >
      {refused => (
        <Button startIcon={<RestoreIcon fontSize="small" />} disabled={refused || save.isPending} onClick={restore} sx={{ minHeight: 28 }}>
          RESTORE THIS VALUE
        </Button>
      )}
    </PermissionGate>
  )
}
