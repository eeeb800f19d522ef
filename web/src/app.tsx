import { QueryClientProvider } from '@tanstack/react-query'
import { Toaster } from './components/toaster/toaster.tsx'
import { TitleField } from './features/search/title-field/title-field.tsx'
import { PageLayout } from './features/session/frame/page-layout.tsx'
import { AddTicketButton } from './features/tickets/new/add-ticket-button.tsx'
import { queryClient } from './lib/calls/query-client.ts'
import { useSession } from './lib/session/session.tsx'

const actions = (
  <>
    <AddTicketButton />
    <TitleField />
  </>
)

export function App() {
  const { authenticated, timedOut } = useSession()
  return (
    <QueryClientProvider client={queryClient}>
      <PageLayout actions={actions} />
      <Toaster position={authenticated || timedOut ? 'bottom-right' : 'bottom-left'} />
    </QueryClientProvider>
  )
}
