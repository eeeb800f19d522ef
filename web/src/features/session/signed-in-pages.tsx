import { useQuery, useQueryClient } from '@tanstack/react-query'
import { connstate } from '@tessera/contract/people/session'
import { type ReactNode, useEffect } from 'react'
import { callQuery, post } from '../../lib/calls/api.ts'
import { seldomStale } from '../../lib/calls/live/seldom-stale.ts'
import { useLive } from '../../lib/calls/live/use-live.ts'
import { followOtherTabs } from '../../lib/session/activity.ts'
import { changeIdentity, currentSession, enterSession, timeOutSession, useSession } from '../../lib/session/session.tsx'
import { useIdleWarning } from './use-idle-warning.ts'

/** The pages that need a session: refreshes the session data after each change and when the tab becomes visible. */
export function SignedInPages({ children }: { children: ReactNode }) {
  const { authenticated, timedOut } = useSession()
  useLive()
  useIdleWarning()
  const { data, dataUpdatedAt } = useQuery({
    ...callQuery(connstate, {}),
    staleTime: seldomStale,
    refetchOnWindowFocus: 'always',
    enabled: authenticated,
  })
  useEffect(() => {
    const session = currentSession()
    if (!data || !dataUpdatedAt || !session.authenticated) return
    if (data.auth === 0) timeOutSession()
    else if (data.idUser !== session.idUser || data.orgid !== session.idOrganization) changeIdentity()
    else enterSession(data)
  }, [data, dataUpdatedAt])
  const queries = useQueryClient()
  useEffect(() => {
    const signedOut = () => {
      if (currentSession().authenticated) timeOutSession()
    }
    // Perhaps after a sign-in there, which goes for this tab too.
    const used = async () => {
      const { timedOut, idUser, idOrganization } = currentSession()
      if (!timedOut) return
      const now = await post(connstate, {})
      if (now.auth === 0 || !currentSession().timedOut) return
      if (now.idUser !== idUser || now.orgid !== idOrganization) return changeIdentity()
      enterSession(now)
      void queries.invalidateQueries()
    }
    return followOtherTabs(signedOut, () => void used().catch(() => undefined))
  }, [queries])
  // Between logout and the login page there is no session: a page's calls would fail.
  return authenticated || timedOut ? children : null
}
