import { getBulkProgress, stopBulkChange } from '@tessera/contract/tickets/bulk'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { RunProgress } from './run-progress.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const run = { idProject: 3, idChangeSet: 100 }

test('progress that cannot be read and an earlier revert of the same set are not shown; the current one is, and is stopped once', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  let looks = 0
  server.on(getBulkProgress, () => {
    looks++
    if (looks === 1) return new Refusal(503, { error: 'Busy', code: 'unavailable' })
    return looks === 2 ? { Total: 1000, Done: 40, Changed: 40, Ended: 1 } : { Total: 1000, Done: 120, Changed: 118, Ended: 0 }
  })
  server.on(stopBulkChange, () => ({ Success: 1 }))
  const shown: string[] = []
  const { user } = show(<RunProgress run={run} words="Reverting…" />)
  const watcher = new MutationObserver(() => shown.push(document.body.textContent))
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true })
  expect(screen.getByRole('status').textContent).toBe('Reverting…')
  await screen.findByText('120 of 1,000 tickets')
  expect(looks).toBe(3)
  expect(shown.join()).not.toContain('40 of')
  expect(screen.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('12')
  // Screen readers announce the action, not each number.
  expect(screen.getByRole('status').textContent).toBe('Reverting…')
  await user.dblClick(screen.getByRole('button', { name: 'STOP' }))
  await screen.findByRole('button', { name: 'STOPPING…' })
  expect(screen.getByRole('status').textContent).toBe('Stopping…')
  expect(server.sentTo(stopBulkChange).map(({ input }) => input)).toEqual([run])
  watcher.disconnect()
})
