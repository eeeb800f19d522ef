import { messages } from '@tessera/contract/messages'

/** What index.html shows, until the first page is ready. */
export function StartingPage() {
  return (
    <header className="starting">
      <span className="brand-tile" aria-hidden />
      <span role="status">{messages.appStarting}</span>
    </header>
  )
}
