import { messages } from '@tessera/contract/messages'
import { useEffect } from 'react'
import { useSession } from './session.tsx'

/** Names the browser tab: the page's own title, or the session's where a page has none. */
export function useDocumentTitle(title?: string) {
  const { timedOut } = useSession()
  useEffect(() => {
    document.title = timedOut ? messages.titleTimedOut : title ? `${title} - ${messages.titleSignedIn}` : messages.titleWelcome
  }, [timedOut, title])
}
