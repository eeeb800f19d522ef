import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startNavigation } from './lib/navigation/navigation.ts'
import { routes } from './routes.tsx'

// The server names this script in the page of a user who has a session. Awaited, or the application would ask for the same once more.
const firstCalls = document.getElementById('first-calls') ? import('./first-calls.ts').catch(() => undefined) : Promise.resolve()

// Nothing is drawn before the first page is here, or it would be drawn twice; index.html says meanwhile that it is coming. Not awaited at the top: the
// pages' modules import from this file's, which would then wait for them.
void firstCalls
  .then(() => startNavigation(routes))
  .then(() => {
    const root = document.getElementById('root')
    if (root)
      createRoot(root).render(
        <StrictMode>
          <App />
        </StrictMode>,
      )
  })
