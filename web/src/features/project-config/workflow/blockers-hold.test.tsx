import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getProjectData, setProjectData } from '@tessera/contract/projects/projects'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { BlockersHold } from './blockers-hold.tsx'

afterEach(cleanup)

test('the switch keeps what was chosen while it is stored and read again; a second change is sent after the first', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const project = {
    ...{ idProject: 1, Title: 'Rider App', ShortCode: 'RIDE', Archived: 0, BlockersHold: 0, DueField: '' },
    Permissions: [permission.viewTickets, permission.manageProject],
  } as const
  let reads = 0
  // The project is never read again.
  server.on(getProjectData, () => (reads++ === 0 ? project : new Promise(() => undefined)) as never)
  const answers: (() => void)[] = []
  server.on(setProjectData, async () => {
    await new Promise<void>(resolve => answers.push(resolve))
    return { Success: 1 }
  })
  const { user } = show(
    <>
      <BlockersHold idProject={1} />
      <Toaster />
    </>,
  )
  const box = await screen.findByRole<HTMLInputElement>('switch', { name: /^Enforce blockers/ })
  await user.click(box)
  expect(box.checked).toBe(true)
  await expect.poll(() => answers).toHaveLength(1)
  answers[0]?.()
  await screen.findByText(messages.settingsSaved)
  expect(box.checked).toBe(true)

  await user.click(box)
  await expect.poll(() => answers).toHaveLength(2)
  await user.click(box)
  expect(box.checked).toBe(true)
  expect(answers).toHaveLength(2)
  answers[1]?.()
  await expect.poll(() => answers).toHaveLength(3)
  answers[2]?.()
  const sent = server.sentTo(setProjectData).map(({ input }) => (input as { BlockersHold: number }).BlockersHold)
  expect(sent).toEqual([1, 0, 1])
  expect(box.checked).toBe(true)

  server.on(setProjectData, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await user.click(box)
  await screen.findByText(messages.saveFailed)
  expect(box.checked).toBe(true)
})
