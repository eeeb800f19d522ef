import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { Toaster } from './components/toaster.tsx'
import { queryClient } from './lib/query-client.ts'
import { useSession } from './lib/session.tsx'
import { router } from './router.tsx'
import { theme } from './theme.ts'

// The content security policy takes styles from script only with the nonce of this page.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content
const cache = createCache({ key: 'mui', ...(nonce ? { nonce } : {}) })

export function App() {
  const { authenticated, timedOut } = useSession()
  return (
    <CacheProvider value={cache}>
      {/* The colours stand in the stylesheet (vite.config.ts), where the first paint finds them. */}
      <ThemeProvider theme={theme} modeStorageKey="color-scheme" disableStyleSheetGeneration>
        <QueryClientProvider client={queryClient}>
          {/* A page is drawn in one go: in slices, with frames between them, it would stand there later. */}
          <RouterProvider router={router} useTransitions={false} />
          <Toaster position={authenticated || timedOut ? 'bottom-right' : 'bottom-left'} />
        </QueryClientProvider>
      </ThemeProvider>
    </CacheProvider>
  )
}
