import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startNavigation } from './lib/navigation/navigation.ts'
import { routes } from './routes.tsx'

// Nothing is drawn before the first page is here, or it would be drawn twice; index.html says meanwhile that it is coming. Not awaited at the top: the
// pages' modules import from this file's, which would then wait for them.
void startNavigation(routes).then(() => {
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    )
})
