import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { Toaster } from './components/toaster/toaster.tsx'
import { queryClient } from './lib/query-client.ts'
import { useSession } from './lib/session.tsx'
import { router } from './router.tsx'

export function App() {
  const { authenticated, timedOut } = useSession()
  return (
    <QueryClientProvider client={queryClient}>
      {/* A page is drawn in one go: in slices, with frames between them, it would stand there later. */}
      <RouterProvider router={router} useTransitions={false} />
      <Toaster position={authenticated || timedOut ? 'bottom-right' : 'bottom-left'} />
    </QueryClientProvider>
  )
}
