import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { signedIn } from '../../../../test/people.ts'
import { noteSeen } from '../../session/activity.ts'
import { clearPrivateStorage } from '../../session/private-storage.ts'
import { enterSession, leaveSession } from '../../session/session.tsx'
import { isKeeping, readKept, useKept } from './kept.ts'

beforeEach(() => {
  localStorage.clear()
  leaveSession()
  enterSession(signedIn({ idUser: 7 }))
  noteSeen()
})

function Box() {
  const [text, setText] = useState(() => readKept<string>('comment-1')?.value ?? '')
  useKept('comment-1', text === '' ? undefined : text)
  return <input aria-label="Box" value={text} onChange={event => setText(event.target.value)} />
}
const kept = () => readKept<string>('comment-1')
const keptKeys = () => Object.keys(localStorage).filter(key => key.startsWith('tessera.kept.'))

test('what is typed is kept within half a second, is back in a new page, and goes when it is saved', async () => {
  const before = Date.now()
  const page = render(<Box />)
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Box'), 'Not lost')
  await expect.poll(() => kept()?.value, { interval: 20 }).toBe('Not lost')
  expect(kept()?.at).toBeGreaterThanOrEqual(before)
  expect(kept()?.at).toBeLessThanOrEqual(Date.now())
  page.unmount()

  render(<Box />)
  expect(screen.getByLabelText<HTMLInputElement>('Box').value).toBe('Not lost')
  await user.clear(screen.getByLabelText('Box'))
  expect(kept()).toBeUndefined()
  expect(keptKeys()).toHaveLength(0)
})

test('a page that goes away keeps what was typed just before', async () => {
  render(<Box />)
  await userEvent.type(screen.getByLabelText('Box'), 'Last words')
  window.dispatchEvent(new Event('pagehide'))
  expect(kept()?.value).toBe('Last words')
})

test('another person who signs in does not see the text, and a logout removes it', async () => {
  const page = render(<Box />)
  await userEvent.type(screen.getByLabelText('Box'), 'Private')
  window.dispatchEvent(new Event('pagehide'))
  expect(keptKeys()).toHaveLength(1)
  enterSession(signedIn({ idUser: 8 }))
  expect(kept()).toBeUndefined()
  expect(keptKeys()).toHaveLength(0)

  enterSession(signedIn({ idUser: 7 }))
  await userEvent.type(screen.getByLabelText('Box'), ' again')
  leaveSession()
  clearPrivateStorage()
  page.unmount()
  expect(keptKeys()).toHaveLength(0)
})

test('after a logout in another tab nothing is kept until somebody signs in again', async () => {
  render(<Box />)
  clearPrivateStorage()
  await userEvent.type(screen.getByLabelText('Box'), 'Private')
  hide()
  expect(localStorage).toHaveLength(0)
  noteSeen()
  await userEvent.type(screen.getByLabelText('Box'), '!')
  hide()
  expect(kept()?.value).toBe('Private!')
})

/** The same module as another window has it. */
async function otherWindow() {
  vi.resetModules()
  const [{ useKept: keep, readKept: read }, session] = await Promise.all([import('./kept.ts'), import('../../session/session.tsx')])
  session.enterSession(signedIn({ idUser: 7 }))
  return function OtherBox() {
    const [text, setText] = useState(() => read<string>('comment-1')?.value ?? '')
    keep('comment-1', text === '' ? undefined : text)
    return <input aria-label="Other" value={text} onChange={event => setText(event.target.value)} />
  }
}
const hide = () => window.dispatchEvent(new Event('pagehide'))

test('two windows at the same place keep a text each: the latest comes back first, the other once that is saved', async () => {
  const OtherBox = await otherWindow()
  const page = render(
    <>
      <Box />
      <OtherBox />
    </>,
  )
  await userEvent.type(screen.getByLabelText('Box'), 'First')
  hide()
  await new Promise(resolve => setTimeout(resolve, 2))
  await userEvent.type(screen.getByLabelText('Other'), 'Second')
  hide()
  expect(keptKeys()).toHaveLength(2)
  page.unmount()
  const LaterBox = await otherWindow()
  const later = render(<LaterBox />)
  const box = screen.getByLabelText<HTMLInputElement>('Other')
  expect(box.value).toBe('Second')
  await userEvent.type(box, ', longer')
  hide()
  await userEvent.clear(box)
  later.unmount()
  expect(keptKeys()).toHaveLength(1)
  // Each window has its own text as long as there is one.
  render(<Box />)
  expect(screen.getByLabelText<HTMLInputElement>('Box').value).toBe('First')
})

test('text that one window discards stays for another window that has typed on', async () => {
  const page = render(<Box />)
  await userEvent.type(screen.getByLabelText('Box'), 'Begun')
  hide()
  const OtherBox = await otherWindow()
  const other = render(<OtherBox />)
  expect(screen.getByLabelText<HTMLInputElement>('Other').value).toBe('Begun')
  await new Promise(resolve => setTimeout(resolve, 2))
  await userEvent.type(screen.getByLabelText('Box'), ' and continued')
  hide()
  await userEvent.clear(screen.getByLabelText('Other'))
  other.unmount()
  expect(kept()?.value).toBe('Begun and continued')
  await userEvent.clear(screen.getByLabelText('Box'))
  page.unmount()
  expect(keptKeys()).toHaveLength(0)
})

test('a text that could not be kept is not taken for kept because a later one could be', async () => {
  function Field({ place }: { place: string }) {
    const [text, setText] = useState('')
    useKept(place, text || undefined)
    return <input aria-label={place} value={text} onChange={event => setText(event.target.value)} />
  }
  const page = render(['comment-2', 'ticket-2'].map(place => <Field key={place} place={place} />))
  const full = vi.spyOn(Storage.prototype, 'setItem')
  const isFull = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  full.mockImplementationOnce(isFull)
  fireEvent.change(screen.getByLabelText('ticket-2'), { target: { value: 'long' } })
  await waitFor(() => expect(isKeeping()).toBe(false))
  fireEvent.change(screen.getByLabelText('comment-2'), { target: { value: 'short' } })
  await waitFor(() => expect(readKept('comment-2')?.value).toBe('short'))
  expect(isKeeping()).toBe(false)
  fireEvent.change(screen.getByLabelText('ticket-2'), { target: { value: 'shorter' } })
  await waitFor(() => expect(isKeeping()).toBe(true))
  full.mockImplementationOnce(isFull)
  fireEvent.change(screen.getByLabelText('ticket-2'), { target: { value: 'long again' } })
  await waitFor(() => expect(isKeeping()).toBe(false))
  page.unmount()
  expect(isKeeping()).toBe(true)
  full.mockRestore()
})
