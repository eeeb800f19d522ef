import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { endSessions, getSessionList } from '@tessera/contract/session'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { notify } from '../../components/toaster.tsx'
import { callQuery, useCallMutation } from '../../lib/api.ts'
import { deviceName } from '../../lib/device-name.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'

export function SessionListCard() {
  const { data, error, refetch } = useQuery(callQuery(getSessionList, {}))
  const end = useCallMutation(endSessions)
  const [isAsking, ask] = useState(false)
  const hasOthers = data?.some(({ Current }) => Current === 0) ?? false
  const finish = (ids?: string[]) =>
    end.mutate(ids ? { ids } : {}, {
      onSuccess: ({ Ended }) => {
        ask(false)
        notify.success(Ended === 1 ? 'The session was ended' : `${Ended} sessions were ended`)
      },
      onError: problem => notify.failure(problem, messages.saveFailed),
    })
  return (
    <SectionCard
      title="Sessions"
      count={data?.length}
      actions={
        <Button color="error" disabled={!hasOthers || end.isPending} onClick={() => ask(true)}>
          SIGN OUT EVERYWHERE
        </Button>
      }
    >
      {error && !data && <ErrorState dense message={error.message} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton variant="rounded" height={64} sx={{ m: 2 }} />}
      <Box component="ul" aria-label="Sessions" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {data?.map(({ id, Device, Address, Organization, DateCreated, LastSeen, Current }) => (
          <Box
            component="li"
            key={id}
            sx={{
              display: 'flex',
              alignItems: 'center',
              flexWrap: 'wrap',
              gap: 1.5,
              px: 2,
              py: 1.25,
              '& + &': { borderTop: 1, borderColor: 'hairline' },
            }}
          >
            <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
              <Box sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>{deviceName(Device)}</Box>
              <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
                {[Organization, Address, `signed in ${formatDateTime(DateCreated)}`, `seen ${formatRelative(LastSeen)}`]
                  .filter(Boolean)
                  .join(' · ')}
              </Box>
            </Box>
            {Current === 1 ? (
              <Box
                component="span"
                sx={{ px: 1, py: 0.25, borderRadius: 1, bgcolor: 'soft', color: 'primary.main', fontSize: 12, fontWeight: 600 }}
              >
                This session
              </Box>
            ) : (
              <Button disabled={end.isPending} aria-label={`End the session on ${deviceName(Device)}`} onClick={() => finish([id])}>
                END
              </Button>
            )}
          </Box>
        ))}
      </Box>
      <ConfirmDialog
        open={isAsking}
        title="Sign out everywhere?"
        confirmLabel="SIGN OUT EVERYWHERE"
        danger
        busy={end.isPending}
        onClose={() => ask(false)}
        onConfirm={() => finish()}
      >
        Every session but this one ends at once. What is unsaved there is lost.
      </ConfirmDialog>
    </SectionCard>
  )
}
