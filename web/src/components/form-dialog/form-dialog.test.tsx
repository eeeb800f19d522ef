import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { signedIn } from '../../../test/people.ts'
import { showPages } from '../../../test/show.tsx'
import { noteReach, unreachableMessage } from '../../lib/calls/reach.ts'
import { navigate } from '../../lib/navigation/navigation.ts'
import { closeReconnect, currentSession, enterSession, leaveSession, timeOutSession } from '../../lib/session/session.tsx'
import { LeaveGuard } from '../leave-guard/leave-guard.tsx'
import { FormDialog } from './form-dialog.tsx'

afterEach(cleanup)

interface EditorProps {
  isKept?: boolean
  isPageDirty?: boolean
}
function Editor({ isKept = false, isPageDirty = false }: EditorProps) {
  const [text, type] = useState<string | undefined>('')
  const close = () => type(undefined)
  return (
    <>
      <LeaveGuard isDirty={isPageDirty} isKept />
      {text === undefined && 'closed'}
      {text !== undefined && (
        <FormDialog title="Field" submitLabel="SAVE" isDirty={text !== ''} isKept={isKept} onSubmit={close} onClose={close}>
          <input aria-label="Name" value={text} onChange={event => type(event.target.value)} />
        </FormDialog>
      )}
    </>
  )
}

/** The editor's page, reached from another one, with something typed. */
async function openEditor(props: EditorProps = {}) {
  const shown = showPages([
    { path: '/', Component: () => 'start' },
    { path: '/editor', Component: () => <Editor {...props} /> },
  ])
  await act(() => navigate('/editor'))
  await shown.user.type(screen.getByRole('textbox', { name: 'Name' }), 'Due')
  return shown.user
}
const question = () => screen.queryByRole('alertdialog', { name: 'Leave without saving?' })
const asksBeforeReload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

test.each([false, true])('Back and a reload ask before they drop a dialog with something typed; dirty page: %s', async isPageDirty => {
  const user = await openEditor({ isPageDirty })
  expect(asksBeforeReload()).toBe(true)
  window.history.back()
  await waitFor(() => expect(question()?.textContent).toContain('would be lost'))
  // It lies above the dialog, which is out of reach.
  const [dialog, asked] = document.querySelectorAll<HTMLElement>('[data-layer]')
  await waitFor(() => expect(dialog?.inert).toBe(true))
  expect(asked?.contains(question())).toBe(true)
  await user.keyboard('{Escape}')
  expect(question()).toBeNull()
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Due')

  window.history.back()
  await user.click(await screen.findByRole('button', { name: 'LEAVE' }))
  await screen.findByText('start')
  expect(document.querySelector('[data-layer]')).toBeNull()
  expect(asksBeforeReload()).toBe(false)
})

test('nothing asks once the dialog is saved', async () => {
  const user = await openEditor()
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText('closed')
  expect(asksBeforeReload()).toBe(false)
  window.history.back()
  await screen.findByText('start')
})

test('leaving a page that keeps its text asks nothing', async () => {
  await openEditor({ isKept: true })
  expect(asksBeforeReload()).toBe(false)
  window.history.back()
  await screen.findByText('start')
})

test('the message that the server cannot be reached stays in the dialog when another call is answered', () => {
  noteReach(false)
  const nothing = () => undefined
  const Dialog = () => (
    <FormDialog title="Field" submitLabel="SAVE" error={unreachableMessage} onSubmit={nothing} onClose={nothing}>
      <input aria-label="Name" />
    </FormDialog>
  )
  showPages([{ path: '/', Component: Dialog }])
  expect(screen.getByRole('alert').textContent).toContain('The server cannot be reached')
  act(() => noteReach(true))
  expect(screen.getByRole('alert').textContent).toContain('The server could not be reached')
})

test('a dialog that waits for a sign-in which was put off offers it again', async () => {
  enterSession(signedIn())
  timeOutSession()
  const { user } = showPages([
    {
      path: '/',
      Component: () => (
        <FormDialog title="Field" submitLabel="SAVE" busy onSubmit={() => undefined} onClose={() => undefined}>
          <input aria-label="Name" />
        </FormDialog>
      ),
    },
  ])
  expect(screen.queryByRole('button', { name: 'RECONNECT' })).toBeNull()
  act(() => closeReconnect('later'))
  await user.click(screen.getByRole('button', { name: 'RECONNECT' }))
  expect(currentSession().reconnect).toBe('asked')
  expect(screen.queryByRole('button', { name: 'RECONNECT' })).toBeNull()
  act(leaveSession)
})
