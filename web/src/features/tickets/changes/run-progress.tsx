import { useQuery } from '@tanstack/react-query'
import type { Request } from '@tessera/contract/call'
import { getBulkProgress, stopBulkChange } from '@tessera/contract/tickets/bulk'
import { useEffect, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { ProgressBar } from '../../../components/progress-bar/progress-bar.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted, formatNumber } from '../../../lib/display/format.ts'
import styles from './run-progress.module.css'

/** Milliseconds before a change shows how far it has come, and between two looks at it. */
const patience = 1000
const pause = 500

interface RunProgressProps {
  run: Request<typeof getBulkProgress>
  /** What is being done. */
  words: string
}

/** How far a bulk change or a revert has come, with STOP; shown while the call that does it is waiting. */
export function RunProgress({ run, words }: RunProgressProps) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const waiting = setTimeout(() => setLong(true), patience)
    return () => clearTimeout(waiting)
  }, [])
  // Not cached: a second revert of the same set has the same input.
  const { data, isError } = useQuery({
    ...callQuery(getBulkProgress, run),
    enabled: isLong,
    refetchInterval: pause,
    retry: false,
    gcTime: 0,
  })
  const stop = useCallMutation(stopBulkChange, () => {})
  const isStopping = stop.isPending || stop.isSuccess
  // One that was stopped, but not here, is an earlier revert of the same set: the present one has yet to begin.
  const isShown = data && !isError && (isStopping || data.Ended === 0 || data.Done === data.Total)
  return (
    <div className={styles.run}>
      {/* The numbers are not part of the status, which would be spoken with each of them. */}
      <p role="status" className={styles.words}>
        {isStopping ? 'Stopping…' : words}
      </p>
      {isShown && (
        <>
          <div className={styles.progress}>
            <ProgressBar label="Progress" value={(100 * data.Done) / Math.max(data.Total, 1)} />
            <p className={styles.count}>{`${formatNumber(data.Done)} of ${counted(data.Total, 'ticket')}`}</p>
          </div>
          <Button disabled={isStopping} onClick={() => stop.mutate(run, { onError: problem => notify.failure(problem) })}>
            {isStopping ? 'STOPPING…' : 'STOP'}
          </Button>
        </>
      )}
    </div>
  )
}
