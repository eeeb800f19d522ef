import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getUserData } from '@tessera/contract/people/profile'
import { endSessions, getSessionList } from '@tessera/contract/people/session'
import { Fragment, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog/confirm-dialog.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { Link } from '../../../components/link/link.tsx'
import { WithReason } from '../../../components/permission-gate/with-reason.tsx'
import { SectionCard } from '../../../components/section-card/section-card.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { TimeAgo } from '../../../components/time-ago/time-ago.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { formatDateTime } from '../../../lib/display/format.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { deviceName } from '../../../lib/session/device-name.ts'
import { useSession } from '../../../lib/session/session.tsx'
import styles from './session-list-card.module.css'

export function SessionListCard() {
  const list = useQuery(callQuery(getSessionList, {}))
  const { data } = list
  const end = useCallMutation(endSessions)
  const [isAsking, ask] = useState(false)
  const hasOthers = data?.some(({ Current }) => Current === 0) ?? false
  const finish = (ids?: string[]) =>
    end.mutate(ids ? { ids } : {}, {
      onSuccess: ({ Ended }) => {
        ask(false)
        notify.clear(messages.saveFailed)
        notify.success(Ended === 1 ? 'The session was ended' : `${Ended} sessions were ended`)
      },
      onError: problem => notify.failure(problem, messages.saveFailed),
    })
  const refused = data && !hasOthers ? 'There is no other session' : undefined
  useActions([{ label: 'Sign out everywhere', refused: data ? refused : 'The sessions are not loaded yet', run: () => ask(true) }])
  const signOut = (
    <Button danger disabled={!hasOthers || end.isPending} onClick={() => ask(true)}>
      SIGN OUT EVERYWHERE
    </Button>
  )
  return (
    <SectionCard title="Sessions" count={data?.length} actions={refused ? <WithReason reason={refused}>{signOut}</WithReason> : signOut}>
      <LoadProblem of={[list]} />
      {list.isPending && (
        <>
          <VisuallyHidden role="status">Loading the sessions</VisuallyHidden>
          <Skeleton height={64} className={styles.loading} />
        </>
      )}
      <ul aria-label="Sessions">
        {data?.map(({ id, Device, Address, Organization, DateCreated, LastSeen, Current }) => (
          <li key={id} className={styles.session}>
            <div className={styles.words}>
              <div className={styles.device}>{deviceName(Device)}</div>
              <div className={styles.facts}>
                {[Organization, Address, `signed in ${formatDateTime(DateCreated)}`].filter(Boolean).join(' · ')} · seen{' '}
                <TimeAgo at={LastSeen} />
              </div>
            </div>
            {Current === 1 ? (
              <span className={styles.current}>This session</span>
            ) : (
              <Button disabled={end.isPending} aria-label={`End the session on ${deviceName(Device)}`} onClick={() => finish([id])}>
                END
              </Button>
            )}
          </li>
        ))}
      </ul>
      <CalendarFeeds />
      <ConfirmDialog
        open={isAsking}
        title="Sign out everywhere?"
        confirmLabel="SIGN OUT EVERYWHERE"
        busy={end.isPending}
        onClose={() => ask(false)}
        onConfirm={() => finish()}
      >
        Every session but this one ends at once. What is unsaved there is lost.
      </ConfirmDialog>
    </SectionCard>
  )
}

/** What can be read of the person's tickets without a session. */
function CalendarFeeds() {
  const { data } = useQuery(callQuery(getUserData, { CalendarFeeds: 1 }))
  const { isAdmin, projects } = useSession()
  // Without access to the project its feeds cannot be read.
  const feeds = data?.CalendarFeeds?.filter(({ idProject }) => isAdmin || projects.some(({ id }) => id === idProject)) ?? []
  if (feeds.length === 0) return null
  return (
    <p className={styles.feeds}>
      Your calendar feeds need no session: they go on when all sessions are ended and after a new password. If somebody else knows the
      address of one, delete it in its calendar:{' '}
      {feeds.map(({ idProject, Title, Feeds }, index) => (
        <Fragment key={idProject}>
          {index > 0 && ', '}
          <Link underlined to={`/view-project/${idProject}?layout=calendar`}>
            {Title}
          </Link>
          {Feeds > 1 && ` (${Feeds})`}
        </Fragment>
      ))}
    </p>
  )
}
