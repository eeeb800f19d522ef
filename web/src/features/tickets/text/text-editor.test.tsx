import { permission } from '@tessera/contract/permissions'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { fakeUploads } from '../../../../test/fake-uploads.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { plainTicket } from '../../../../test/ticket.ts'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { TextEditor } from './text-editor.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Editor({ text }: { text: string }) {
  const [value, change] = useState(text)
  return <TextEditor ticket={plainTicket} label="Details" value={value} onChange={change} />
}

test('a text is printed as its preview, whole, and the editor keeps the focus', async () => {
  fakeServer()
  enterSession(signedIn())
  const { user } = show(<Editor text={`**Steps**\n\n${'A line of a long text.\n\n'.repeat(400)}The end.`} />)
  await user.click(screen.getByRole('tab', { name: 'PREVIEW' }))
  await screen.findByText('Steps', { selector: 'strong' })
  await user.click(screen.getByRole('tab', { name: 'WRITE' }))
  const area = screen.getByRole('textbox', { name: 'Details' })
  area.focus()
  const print = (event: string) => act(() => void window.dispatchEvent(new Event(event)))
  print('beforeprint')
  // Right now: the browser does not wait.
  expect(screen.getByText('Steps').tagName).toBe('STRONG')
  screen.getByText('The end.', { selector: 'p' })
  expect(document.activeElement).toBe(area)
  print('afterprint')
  expect(screen.queryByText('Steps')).toBeNull()
})

test('an empty text is printed as the empty field that it is', () => {
  fakeServer()
  enterSession(signedIn())
  show(<Editor text="" />)
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(screen.queryByText('Nothing to preview')).toBeNull()
  act(() => void window.dispatchEvent(new Event('afterprint')))
})

test('CANCEL of an upload takes its picture away and says nothing; pasted text goes before its picture; nothing is uploaded into a read-only text', async () => {
  fakeServer()
  enterSession(signedIn())
  const sent = fakeUploads()
  const ticket = { ...plainTicket, Permissions: [permission.viewTickets, permission.addAttachments] }
  function Lockable() {
    const [value, change] = useState('Words')
    const [readOnly, lock] = useState(false)
    return (
      <>
        <TextEditor ticket={ticket} label="Details" value={value} onChange={change} readOnly={readOnly} />
        <button type="button" onClick={() => lock(true)}>
          LOCK
        </button>
        <Toaster />
      </>
    )
  }
  const { user } = show(<Lockable />)
  const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Details' })
  await user.click(area)
  await screen.findByRole('toolbar')
  const files = [new File(['x'], 'image.png', { type: 'image/png' })]
  const paste = (text: string) => fireEvent.paste(area, { clipboardData: { types: ['Files'], files, getData: () => text } })
  const drop = () => fireEvent.drop(area, { dataTransfer: { types: ['Files'], files } })
  // What the browser does with a text is left to it.
  expect([paste('a cell'), drop()]).toEqual([true, false])
  await user.click(await screen.findByRole('button', { name: 'Cancel image.png' }))
  await waitFor(() => expect(area.value).toBe('Words'))
  expect(screen.getByRole('region', { name: 'Messages' }).textContent).toBe('')
  expect(sent).toEqual(['image.png'])

  await user.click(screen.getByRole('button', { name: 'LOCK' }))
  // The page takes them.
  expect([paste(''), drop()]).toEqual([true, true])
  cleanup()
  show(<TextEditor ticket={ticket} label="Details" value="Words" onChange={() => undefined} readOnly />)
  expect(fireEvent.drop(screen.getByRole('textbox'), { dataTransfer: { types: ['Files'], files } })).toBe(true)
  expect(sent).toEqual(['image.png'])
})

test('Ctrl+K makes a link of what is selected, and is left to the page when nothing is', async () => {
  fakeServer()
  enterSession(signedIn())
  const { user } = show(<Editor text="Words" />)
  const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Details' })
  await user.click(area)
  await screen.findByRole('toolbar')
  const press = () => fireEvent.keyDown(area, { key: 'k', code: 'KeyK', ctrlKey: true })
  area.setSelectionRange(5, 5)
  expect([press(), area.value]).toEqual([true, 'Words'])
  area.setSelectionRange(0, 5)
  expect([press(), area.value]).toEqual([false, '[Words](https://)'])
})
