import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { deleteCalendarFeeds, getCalendarFeedList, renewCalendarFeed } from '@tessera/contract/projects/calendar-feeds'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../../components/button/button.tsx'
import { ConfirmDialog } from '../../../../components/confirm-dialog/confirm-dialog.tsx'
import { LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { type CallError, callQuery } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { formatDate, formatRelative } from '../../../../lib/display/format.ts'
import type { DateField } from '../../dates/date-fields.ts'
import styles from './calendar-feeds.module.css'
import type { MadeAddress } from './feed-address.tsx'

type Feed = Response<typeof getCalendarFeedList>[number]

interface FeedListProps {
  idProject: number
  fields: readonly DateField[]
  onRenewed: (made: MadeAddress) => void
  onDeleted: (idFeed: number) => void
}

/** The person's feeds of the project: to replace their addresses, and to delete them. */
export function FeedList({ idProject, fields, onRenewed, onDeleted }: FeedListProps) {
  const id = useId()
  const list = useQuery(callQuery(getCalendarFeedList, { idProject }))
  const { data } = list
  const renew = useCallMutation(renewCalendarFeed)
  const remove = useCallMutation(deleteCalendarFeeds)
  const [question, ask] = useState<{ feed: Feed; what: 'renew' | 'delete' }>()
  const close = () => ask(undefined)
  const failed = (problem: CallError) => {
    close()
    notify.failure(problem)
  }
  const renewIt = ({ idFeed, Name }: Feed) =>
    renew.mutate(
      { idProject, idFeed },
      {
        onSuccess: ({ Address }) => {
          // First, because it returns the focus, which then goes to the address.
          flushSync(close)
          onRenewed({ idFeed, name: Name, address: Address })
        },
        onError: failed,
      },
    )
  const deleteIt = ({ idFeed, Name }: Feed) =>
    remove.mutate(
      { idProject, ids: [idFeed] },
      {
        onSuccess: () => {
          close()
          onDeleted(idFeed)
          notify.success(`The feed ${Name} was deleted`)
        },
        onError: failed,
      },
    )
  const shown = question?.feed
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.heading}>
        Your feeds in this project
      </h3>
      <LoadProblem of={[list]} />
      {list.isPending && <Skeleton height={48} />}
      {data?.length === 0 && <p className={styles.note}>You have none yet.</p>}
      <ul aria-labelledby={id}>
        {data?.map(feed => (
          <li key={feed.idFeed} className={styles.feed}>
            <div className={styles.words}>
              <div className={styles.name}>{feed.Name}</div>
              <div className={styles.note}>{factsOf(feed, fields)}</div>
            </div>
            <Button aria-label={`New address for ${feed.Name}`} onClick={() => ask({ feed, what: 'renew' })}>
              NEW ADDRESS
            </Button>
            <Button danger aria-label={`Delete ${feed.Name}`} onClick={() => ask({ feed, what: 'delete' })}>
              DELETE
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={question?.what === 'renew'}
        title={`Replace the address of ${shown?.Name}?`}
        confirmLabel="NEW ADDRESS"
        busy={renew.isPending}
        onClose={close}
        onConfirm={() => shown && renewIt(shown)}
      >
        Programs that use the present address can no longer read the feed. Give them the new one.
      </ConfirmDialog>
      <ConfirmDialog
        open={question?.what === 'delete'}
        title={`Delete the feed ${shown?.Name}?`}
        confirmLabel="DELETE"
        busy={remove.isPending}
        onClose={close}
        onConfirm={() => shown && deleteIt(shown)}
      >
        Programs that use its address can no longer read it. This cannot be undone; the tickets stay as they are.
      </ConfirmDialog>
    </section>
  )
}

/** What a feed has, since when, and when a program last read it. */
function factsOf({ Query, Field, DateCreated, LastFetched }: Feed, fields: readonly DateField[]) {
  const label = fields.find(({ key }) => key === Field)?.label
  return [
    Query || 'all tickets',
    label === undefined ? `the field ${Field} is not there anymore` : `by ${label}`,
    `made ${formatDate(DateCreated)}`,
    LastFetched === undefined ? 'not read yet' : `read ${formatRelative(LastFetched)}`,
  ].join(' · ')
}
