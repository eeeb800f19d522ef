import Box from '@mui/material/Box'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { useSession } from '../../lib/session.tsx'
import { IdentityDialog } from './identity-dialog.tsx'
import { ReconnectDialog } from './reconnect-dialog.tsx'
import { TitleBar } from './title-bar.tsx'

/** Every page: the title bar above it, the dialogs of the session over it. */
export function PageLayout() {
  const { idUser, idOrganization } = useSession()
  const isNavigating = useNavigation().state !== 'idle'
  return (
    <>
      <TitleBar />
      {isNavigating && <NavigationBar />}
      {/* Another person or organization finds nothing of the one before. */}
      <Outlet key={`${idUser} ${idOrganization}`} />
      <ScrollRestoration />
      <ReconnectDialog />
      <IdentityDialog />
    </>
  )
}

function NavigationBar() {
  return (
    <Box
      role="progressbar"
      aria-label="Loading the page"
      sx={{
        position: 'fixed',
        zIndex: 'tooltip',
        insetInline: 0,
        top: 0,
        height: 2,
        transformOrigin: 'left',
        bgcolor: 'primary.main',
        '@keyframes approach': { from: { transform: 'scaleX(0)' }, to: { transform: 'scaleX(0.9)' } },
        // Quick navigations never show it.
        animation: 'approach 4s cubic-bezier(0.1, 0.9, 0.3, 1) 150ms both',
      }}
    />
  )
}
