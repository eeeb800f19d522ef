import { getViewList, setView } from '@tessera/contract/projects/views'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { plainSavedView } from '../../../../../test/saved-view.ts'
import { show } from '../../../../../test/show.tsx'
import { PageHeading } from '../../../../components/page-content/page-heading.tsx'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../../lib/session/session.tsx'
import type { TicketView } from '../view/ticket-view.ts'
import { changedView } from '../view/view-changes.ts'
import { type SavedView, viewOfSaved } from './saved-view.ts'
import { ViewBar } from './view-bar.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const saved: SavedView = { ...plainSavedView, Name: 'Late boats' }

const mine = { mine: true }
const asSaved = { query: 'boat is:mine', mine: false }
test.each([
  { what: 'is shown as it was saved', changed: mine, meanwhile: {}, shown: asSaved },
  {
    what: 'keeps a filter that was set meanwhile',
    changed: mine,
    meanwhile: { title: 'hull' },
    shown: { query: 'boat', mine: true, title: 'hull' },
  },
  { what: 'is shown as it was saved although a ticket was opened meanwhile', changed: mine, meanwhile: { open: [3] }, shown: asSaved },
  {
    what: 'keeps a ticket open that was opened meanwhile',
    changed: { columns: ['Created'] },
    meanwhile: { open: [3] },
    shown: { columns: ['Created'], open: [3] },
  },
])('after SAVE the list $what', async ({ what, changed, meanwhile, shown }) => {
  const server = fakeServer()
  // The message of each row is another one: that of the row before is still shown.
  const own = { ...saved, Name: what }
  server.on(getViewList, () => [own])
  const stored = Promise.withResolvers<{ Success: 1; idView: number }>()
  server.on(setView, () => stored.promise)
  let view: TicketView = { ...viewOfSaved(own), ...changed }
  function Page() {
    const [now, change] = useState(view)
    view = now
    return (
      <>
        <ViewBar idProject={1} view={now} onChange={patch => change(before => changedView(before, patch))} />
        <button type="button" onClick={() => change(before => ({ ...before, ...meanwhile }))}>
          FILTER
        </button>
        <Toaster />
      </>
    )
  }
  const { user } = show(<Page />)
  await user.click(await screen.findByRole('button', { name: 'SAVE' }))
  await user.click(screen.getByRole('button', { name: 'FILTER' }))
  stored.resolve({ Success: 1, idView: 5 })
  await screen.findByText(`The view ${what} was saved`)
  expect(view).toMatchObject(shown)
})

test('a view that cannot be saved stays changed, and the page says why', async () => {
  const server = fakeServer()
  server.on(getViewList, () => [saved])
  server.on(setView, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  const { user } = show(
    <>
      <ViewBar idProject={1} view={{ ...viewOfSaved(saved), ...mine }} onChange={() => undefined} />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'SAVE' }))
  await screen.findByText('Busy')
  screen.getByRole('button', { name: 'SAVE' })
})

test('RESET ends the difference from the saved view and leaves the focus on the heading', async () => {
  enterSession(signedIn())
  fakeServer().on(getViewList, () => [saved])
  function Page() {
    const [view, change] = useState<TicketView>({ ...viewOfSaved(saved), query: 'is:late' })
    return (
      <>
        <PageHeading>Tickets</PageHeading>
        <ViewBar idProject={1} view={view} onChange={patch => change(before => changedView(before, patch))} />
      </>
    )
  }
  const { user } = show(<Page />)
  const reset = await screen.findByRole('button', { name: 'RESET' })
  reset.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(reset.isConnected).toBe(false))
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
})
