import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { KeptNote } from './kept-note.tsx'

afterEach(cleanup)

test('DISCARD, which disappears, leaves the focus on the page', async () => {
  function Page() {
    const [isKept, keep] = useState(true)
    return (
      <>
        <h1 tabIndex={-1}>Ticket</h1>
        {isKept && <KeptNote at={0} onDiscard={() => keep(false)} />}
      </>
    )
  }
  render(<Page />)
  await userEvent.setup().click(screen.getByRole('button', { name: 'DISCARD' }))
  expect(document.activeElement).toBe(screen.getByRole('heading'))
})
