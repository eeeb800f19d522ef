import { messages } from '@tessera/contract/messages'
import { getUserData } from '@tessera/contract/people/profile'
import { getClientConfig } from '@tessera/contract/people/session'
import { useEffect } from 'react'
import { notify } from '../../components/toaster/toaster.tsx'
import { callQuery, post } from '../../lib/calls/api.ts'
import { queryClient } from '../../lib/calls/query-client.ts'
import { lastSeen, noteSeen } from '../../lib/session/activity.ts'
import { useSession } from '../../lib/session/session.tsx'

const minute = 60_000
/** The server records activity at most once a minute, so the session may end that much earlier. */
const granularity = minute
const notice = 2 * minute
/** Interval of the check in milliseconds. A single timer for the end would be wrong after the machine has slept. */
const interval = 5000

/**
 * Warns two minutes before the session ends, with a button that extends it. Typing or clicking extends it without a warning.
 */
export function useIdleWarning() {
  const { authenticated, idUser } = useSession()
  useEffect(() => {
    if (!authenticated || !idUser) return
    noteSeen()
    let touched = 0
    let dismiss: (() => void) | undefined
    const touch = () => {
      touched = Date.now()
    }
    const keep = () => void post(getUserData, {}).catch(() => undefined)
    const withdraw = () => {
      dismiss?.()
      dismiss = undefined
    }
    const look = async () => {
      const { limits } = await queryClient.ensureQueryData(callQuery(getClientConfig, {}))
      const idle = limits.sessionIdleMinutes * minute
      const since = Date.now() - lastSeen()
      // A session of a few minutes must not start with the warning.
      const isSoon = since >= Math.max(idle / 2, idle - notice - granularity) && since < idle
      if (!isSoon) withdraw()
      else if (touched > lastSeen()) keep()
      else dismiss ??= notify.warning(messages.sessionEndsSoon, { label: 'Stay signed in', onClick: keep })
    }
    const timer = setInterval(() => void look().catch(() => undefined), interval)
    const events = ['keydown', 'pointerdown', 'wheel'] as const
    for (const event of events) window.addEventListener(event, touch, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      for (const event of events) window.removeEventListener(event, touch, { capture: true })
      withdraw()
    }
  }, [authenticated, idUser])
}
