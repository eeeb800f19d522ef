import { type ReactNode, Suspense, useEffect } from 'react'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { LoadingBar } from '../../../components/lazy/loading-bar.tsx'
import { CurrentPage, ScrollRestoration } from '../../../lib/navigation/current-page.tsx'
import { useIsLoadingPage } from '../../../lib/navigation/use-navigation.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { PageProblem } from './page-problem.tsx'
import { TitleBar } from './title-bar.tsx'

const ReconnectDialog = lazy(async () => (await import('../reconnect-dialog.tsx')).ReconnectDialog)
/** Delay in milliseconds, so that what was clicked loads first. */
const loadDelay = 2000
const IdentityDialog = lazy(async () => (await import('../identity-dialog.tsx')).IdentityDialog)

/** The frame of every page: the title bar, the global actions, and the dialogs about the session. */
export function PageLayout({ actions }: { actions: ReactNode }) {
  const { idUser, idOrganization, authenticated, timedOut, reconnect, identityChanged } = useSession()
  useEffect(() => {
    // Loaded before it is needed, because the session may end together with the connection; a person who only reads has nothing to lose.
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () => {
      timer ??= setTimeout(ReconnectDialog.prepare, loadDelay)
    }
    const left = new AbortController()
    if (authenticated)
      for (const use of ['pointerdown', 'keydown']) addEventListener(use, load, { once: true, passive: true, signal: left.signal })
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [authenticated])
  return (
    <>
      <TitleBar actions={actions} />
      <NavigationBar />
      {/* Mounted anew for another person or organization, so that nothing of the one before is left. */}
      <CurrentPage key={`${idUser} ${idOrganization}`} Problem={PageProblem} />
      <ScrollRestoration />
      <Suspense>
        {timedOut && reconnect === 'asked' && !identityChanged && <ReconnectDialog />}
        {identityChanged && <IdentityDialog />}
      </Suspense>
    </>
  )
}

function NavigationBar() {
  return useIsLoadingPage() && <LoadingBar label="Loading the page" />
}
