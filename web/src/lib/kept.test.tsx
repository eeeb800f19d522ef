import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { signedIn } from '../../test/people.ts'
import { readKept, useKept } from './kept.ts'
import { clearPrivateStorage } from './private-storage.ts'
import { enterSession, leaveSession } from './session.tsx'

beforeEach(() => {
  localStorage.clear()
  leaveSession()
  enterSession(signedIn({ idUser: 7 }))
})

function Box() {
  const [text, setText] = useState(() => readKept<string>('comment-1')?.value ?? '')
  useKept('comment-1', text === '' ? undefined : text)
  return <input aria-label="Box" value={text} onChange={event => setText(event.target.value)} />
}
const kept = () => readKept<string>('comment-1')

test('what is typed is kept within half a second, is back in a new page, and goes when it is saved', async () => {
  const before = Date.now()
  const page = render(<Box />)
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Box'), 'Not lost')
  await expect.poll(() => kept()?.value, { timeout: 5000, interval: 20 }).toBe('Not lost')
  expect(kept()?.at).toBeGreaterThanOrEqual(before)
  expect(kept()?.at).toBeLessThanOrEqual(Date.now())
  page.unmount()

  render(<Box />)
  expect(screen.getByLabelText<HTMLInputElement>('Box').value).toBe('Not lost')
  await user.clear(screen.getByLabelText('Box'))
  expect(kept()).toBeUndefined()
  expect(localStorage).toHaveLength(0)
})

test('a page that goes away keeps what was typed just before', async () => {
  render(<Box />)
  await userEvent.type(screen.getByLabelText('Box'), 'Last words')
  window.dispatchEvent(new Event('pagehide'))
  expect(kept()?.value).toBe('Last words')
})

test('another person who signs in finds nothing of it, and a logout leaves nothing behind', async () => {
  const page = render(<Box />)
  await userEvent.type(screen.getByLabelText('Box'), 'Private')
  window.dispatchEvent(new Event('pagehide'))
  expect(localStorage).toHaveLength(1)
  enterSession(signedIn({ idUser: 8 }))
  expect(kept()).toBeUndefined()
  expect(localStorage).toHaveLength(0)

  enterSession(signedIn({ idUser: 7 }))
  await userEvent.type(screen.getByLabelText('Box'), ' again')
  leaveSession()
  clearPrivateStorage()
  page.unmount()
  expect(localStorage).toHaveLength(0)
})
