import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { focusClicked } from './lib/input/keep-focus.ts'
import { holdComposedKey } from './lib/input/keys/held-keys.ts'
import { holdSelection } from './lib/input/pointer/hold-selection.ts'
import { startNavigation } from './lib/navigation/navigation.ts'
import { routes } from './routes.tsx'

// The server puts this script into the page if there is a session. Awaited, or the application would send the same calls again.
const firstCalls = document.getElementById('first-calls') ? import('./first-calls.ts').catch(() => undefined) : Promise.resolve()

addEventListener('click', focusClicked, true)
addEventListener('mousedown', holdSelection, true)
addEventListener('keydown', holdComposedKey, true)

// Nothing is rendered before the first page has loaded, or it would be rendered twice; index.html has the loading message. Not a top-level await: the
// pages' modules import from this file's chunk, so each would wait for the other.
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
