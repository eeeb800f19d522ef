import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { firstPage } from './router.tsx'

// Not awaited at the top: the pages' modules import from this file's, which would then wait for them.
void firstPage.then(() => {
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    )
})
