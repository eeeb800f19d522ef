import { act, cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { plainTicket } from '../../../../test/ticket.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import { TextEditor } from './text-editor.tsx'

afterEach(cleanup)

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
