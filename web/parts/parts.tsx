import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster } from '../src/components/toaster/toaster.tsx'
import { Choices } from './choices.tsx'
import { Fields } from './fields.tsx'
import { Openers } from './openers.tsx'
import styles from './parts.module.css'
import { Plain } from './plain.tsx'

/** All parts in all states. Not shipped: `npm run parts` shows it, e2e/looks/parts.spec.ts looks at it. */
function Parts() {
  return (
    <main className={styles.page}>
      <h1>Parts</h1>
      <Plain />
      <Fields />
      <Choices />
      <Openers />
      <Toaster position="bottom-right" />
    </main>
  )
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Parts />
    </StrictMode>,
  )
