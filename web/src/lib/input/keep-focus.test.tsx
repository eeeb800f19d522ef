import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../../../test/show.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { IconButton } from '../../components/icon-button/icon-button.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { notify, Toaster } from '../../components/toaster/toaster.tsx'
import { focusClicked } from './keep-focus.ts'

afterEach(cleanup)

function Rows() {
  const [rows, setRows] = useState(['Ada', 'Ben', 'Cid'])
  return (
    <SectionCard title="People" actions={<button type="button">ADD</button>}>
      <ul>
        {rows.map(name => (
          <li key={name}>
            <button type="button">Edit {name}</button>
            <button type="button" aria-label={`Remove: ${name}`} onClick={() => setRows(rows.filter(other => other !== name))} />
          </li>
        ))}
      </ul>
      {rows.length < 3 && (
        <button type="button" onClick={() => setRows(['Ada', 'Ben', 'Cid'])}>
          SHOW ALL
        </button>
      )}
    </SectionCard>
  )
}

const button = (name: string) => screen.getByRole('button', { name })
const focusIsOn = (name: string) => waitFor(() => expect(document.activeElement).toBe(button(name)))

test('a removed row gives the focus to the next, else to the one before, else to the card', async () => {
  const { user } = show(<Rows />)
  await user.click(button('Remove: Ben'))
  await focusIsOn('Remove: Cid')
  await user.keyboard('{Enter}')
  await focusIsOn('Remove: Ada')
  await user.keyboard('{Enter}')
  await focusIsOn('ADD')
})

test('the focus goes to what replaces a button, and nowhere after a click on the background', async () => {
  const { user } = show(<Rows />)
  await user.click(button('Remove: Cid'))
  await user.click(button('SHOW ALL'))
  // It takes the place of SHOW ALL in the card.
  await focusIsOn('Edit Cid')
  await user.click(document.body)
  button('Remove: Cid').click()
  await waitFor(() => expect(screen.queryByText('Edit Cid')).toBeNull())
  expect(document.activeElement).toBe(document.body)
})

test('an icon button that becomes disabled keeps the focus', async () => {
  function Once() {
    const [isDone, setDone] = useState(false)
    return <IconButton aria-label="Delete" disabled={isDone} onClick={() => setDone(true)} />
  }
  const { user } = show(<Once />)
  await user.click(button('Delete'))
  expect(document.activeElement).toBe(button('Delete'))
  expect(button('Delete').getAttribute('aria-disabled')).toBe('true')
})

test('an icon button that becomes disabled after a dialog has given it the focus back keeps it', async () => {
  function Question() {
    const [isOpen, open] = useState(false)
    const [isDone, setDone] = useState(false)
    return (
      <>
        <IconButton aria-label="Delete" disabled={isDone} onClick={() => open(true)} />
        <button type="button" onClick={() => setDone(true)}>
          read again
        </button>
        {isOpen && (
          <Dialog onClose={() => open(false)} aria-labelledby="title">
            <h2 id="title">Delete it?</h2>
          </Dialog>
        )}
      </>
    )
  }
  const { user } = show(<Question />)
  await user.click(button('Delete'))
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(button('Delete'))
  // The answer arrives; nobody clicks.
  act(() => button('read again').click())
  expect(button('Delete')).toHaveProperty('disabled', false)
  expect(button('Delete').getAttribute('aria-disabled')).toBe('true')
  await user.tab()
  expect(button('Delete')).toHaveProperty('disabled', true)
})

test('messages are reached from a dialog by Tab and F6, and give the focus back', async () => {
  const { user } = show(
    <>
      <Dialog onClose={() => undefined} aria-labelledby="title">
        <h2 id="title">Assignees</h2>
        <button type="button">FIRST</button>
        <input aria-label="Search" />
      </Dialog>
      <Toaster />
    </>,
  )
  const undo = vi.fn()
  notify.success('Comment deleted', { label: 'UNDO', onClick: undo })
  await screen.findByText('UNDO')
  expect(screen.getByRole('region', { name: 'Messages' }).getAttribute('aria-live')).toBe('polite')
  await user.keyboard('{Tab}{Tab}')
  expect(document.activeElement).toBe(screen.getByLabelText('Search'))
  await user.keyboard('{Tab}')
  expect(document.activeElement).toBe(button('Dismiss'))
  await user.keyboard('{Tab}{Tab}')
  expect(document.activeElement).toBe(button('FIRST'))
  await user.keyboard('{Shift>}{Tab}{/Shift}')
  expect(document.activeElement).toBe(button('UNDO'))
  await user.keyboard('{F6}')
  expect(document.activeElement).toBe(button('FIRST'))
  await user.click(screen.getByLabelText('Search'))
  await user.keyboard('{F6}')
  expect(document.activeElement).toBe(button('UNDO'))
  // A key that is held, or a double click.
  await user.keyboard('{Enter}{Enter}')
  expect(undo).toHaveBeenCalledOnce()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Search')))
  await waitFor(() => expect(screen.queryByText('UNDO')).toBeNull())
  const hide = notify.success('Comment deleted', { label: 'UNDO', onClick: undo })
  await screen.findByText('UNDO')
  // A message that fades out by itself still has its action.
  act(hide)
  fireEvent.click(button('UNDO'))
  expect(undo).toHaveBeenCalledTimes(2)
})

test('a clicked button has the focus, also where the browser gives it to none', () => {
  show(
    <section aria-label="Members" tabIndex={-1}>
      <input aria-label="Name" />
      <button type="button">ADD</button>
    </section>,
  )
  document.addEventListener('click', focusClicked, { capture: true })
  const add = screen.getByRole('button', { name: 'ADD' })
  const field = screen.getByRole('textbox', { name: 'Name' })
  // As Safari leaves the focus: on what surrounds the button.
  screen.getByRole('region').focus()
  fireEvent.click(add)
  expect(document.activeElement).toBe(add)
  // The press was kept from moving the focus.
  field.focus()
  fireEvent.click(add)
  expect(document.activeElement).toBe(field)
  document.removeEventListener('click', focusClicked, { capture: true })
})
