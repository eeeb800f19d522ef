import { useQuery } from '@tanstack/react-query'
import { connstate } from '@tessera/contract/session'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { callQuery } from '../../lib/api.ts'
import { useLive } from '../../lib/live.ts'
import { changeIdentity, currentSession, enterSession, timeOutSession, useSession } from '../../lib/session.tsx'
import { useIdleWarning } from './use-idle-warning.ts'

/** The pages behind the guard: keeps true what the screen knows about the session, after each change and when the tab comes back. */
export function SignedInPages() {
  const { authenticated, timedOut } = useSession()
  useLive()
  useIdleWarning()
  const { data, dataUpdatedAt } = useQuery({
    ...callQuery(connstate, {}),
    staleTime: 60_000,
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
  // Between a logout and the login page nobody is here: a page would only ask in vain.
  return authenticated || timedOut ? <Outlet /> : null
}
