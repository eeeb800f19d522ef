import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { useActions, useActiveActions } from './actions.ts'
import { HeldKeys, holdComposedKey } from './keys/held-keys.ts'
import { enableShortcuts } from './keys/shortcuts-enabled.ts'
import { runOnArrival } from './run-on-arrival.ts'

afterEach(() => {
  cleanup()
  enableShortcuts(true)
})

const run = vi.fn()
function Screen({ keys }: { keys: string[] }) {
  useActions(keys.map(name => ({ keys: name, label: name, run: () => run(name) })))
  return <input aria-label="Text" />
}

test('runs single keys and pairs, never while typing, never when switched off', async () => {
  const user = userEvent.setup()
  const { getByLabelText, unmount } = render(<Screen keys={['c', 'g h']} />)
  await user.keyboard('c')
  await user.keyboard('gh')
  expect(run.mock.calls.flat()).toEqual(['c', 'g h'])
  run.mockClear()
  await user.keyboard('h')
  await user.keyboard('{Control>}c{/Control}')
  await user.type(getByLabelText('Text'), 'cgh')
  expect(run).not.toHaveBeenCalled()
  await user.click(document.body)
  enableShortcuts(false)
  await user.keyboard('c')
  expect(run).not.toHaveBeenCalled()
  enableShortcuts(true)
  unmount()
  await user.keyboard('c')
  expect(run).not.toHaveBeenCalled()
})

test('Shift makes a letter a capital, and Caps Lock does not', async () => {
  render(<Screen keys={['x', 'X']} />)
  run.mockClear()
  const press = (key: string, shiftKey: boolean) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }))
  press('x', false)
  press('X', true)
  // With Caps Lock.
  press('X', false)
  press('x', true)
  expect(run.mock.calls.flat()).toEqual(['x', 'X', 'x', 'X'])
})

test('no single key runs while something that takes the focus is being loaded', async () => {
  const user = userEvent.setup()
  render(<Screen keys={['c', 'Ctrl+S']} />)
  run.mockClear()
  const { unmount } = render(<HeldKeys />)
  await user.keyboard('c{Control>}s{/Control}')
  expect(run.mock.calls.flat()).toEqual(['Ctrl+S'])
  unmount()
  await user.keyboard('c')
  expect(run.mock.calls.flat()).toEqual(['Ctrl+S', 'c'])
})

test('what is typed on after the field was removed runs nothing', async () => {
  const user = userEvent.setup()
  run.mockClear()
  const field = render(<input aria-label="Doomed" />)
  render(<Screen keys={['c']} />)
  await user.type(field.getByLabelText('Doomed'), 'a')
  field.unmount()
  await user.keyboard('cc')
  expect(run).not.toHaveBeenCalled()
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  await user.keyboard('c')
  expect(run.mock.calls.flat()).toEqual(['c'])
})

test('keys that are switched off are shown nowhere', () => {
  render(<Screen keys={['c', 'Ctrl+S']} />)
  const Shown = () => useActiveActions().map(({ label, keys }) => `${label}: ${keys} `)
  const { container } = render(<Shown />)
  expect(container.textContent).toBe('c: c Ctrl+S: Ctrl+S ')
  act(() => enableShortcuts(false))
  expect(container.textContent).toBe('c: undefined Ctrl+S: Ctrl+S ')
})

test('Ctrl+S and Cmd+S work while typing and when single keys are off, not under a dialog', async () => {
  const user = userEvent.setup()
  enableShortcuts(false)
  const { getByLabelText } = render(<Screen keys={['Ctrl+S']} />)
  await user.click(getByLabelText('Text'))
  run.mockClear()
  await user.keyboard('{Control>}s{/Control}{Meta>}s{/Meta}')
  expect(run).toHaveBeenCalledTimes(2)
  const { unmount } = render(<div role="dialog" />)
  await user.keyboard('{Control>}s{/Control}')
  unmount()
  await user.keyboard('s{Control>}{Shift>}s{/Shift}{/Control}')
  expect(run).toHaveBeenCalledTimes(2)
})

test('brackets that need AltGr or Option work, letters with Alt and composed ones do not', () => {
  render(<Screen keys={[']', 's']} />)
  run.mockClear()
  const press = (key: string, options: KeyboardEventInit = {}) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...options }))
  press(']', { ctrlKey: true, altKey: true, modifierAltGraph: true })
  press(']', { altKey: true })
  expect(run.mock.calls.flat()).toEqual([']', ']'])
  press('s', { altKey: true })
  press('s', { isComposing: true })
  press(']', { ctrlKey: true })
  expect(run).toHaveBeenCalledTimes(2)
})

test('an action that is refused says why and does nothing; one that works everywhere works in a dialog', async () => {
  const user = userEvent.setup()
  function Actions() {
    useActions([
      { keys: 's', label: 'Change the state', refused: 'Needs the permission Change state', run: () => run('s') },
      { keys: 'Ctrl+K', label: 'Find', isEverywhere: true, run: () => run('Ctrl+K') },
      { keys: 'Ctrl+S', label: 'Save', run: () => run('Ctrl+S') },
    ])
    return <input aria-label="Name" />
  }
  render(<Actions />)
  render(<div role="dialog" />)
  run.mockClear()
  await user.keyboard('s{Control>}k{/Control}{Control>}s{/Control}')
  expect(run.mock.calls.flat()).toEqual(['Ctrl+K'])
})

test('an action requested on another page runs once when that page registers it', async () => {
  function Page({ keys }: { keys: string }) {
    useActions([{ keys, label: keys, run: () => run(keys) }])
    return null
  }
  run.mockClear()
  runOnArrival('s', '/view-ticket/7')
  render(<Page keys="s" />)
  history.replaceState(null, '', '/view-ticket/7')
  render(<Page keys="a" />)
  render(<Page keys="s" />)
  render(<Page keys="s" />)
  await waitFor(() => expect(run.mock.calls.flat()).toEqual(['s']))
})

test('an action that is waited for does not run after another key or a press, nor in a text', async () => {
  const user = userEvent.setup()
  const ran = async (meanwhile: (text: HTMLElement) => Promise<void> | void) => {
    run.mockClear()
    const text = render(<Screen keys={[]} />).getByLabelText('Text')
    runOnArrival('s', window.location.pathname)
    await meanwhile(text)
    render(<Screen keys={['s', 'a']} />)
    text.blur()
    await user.keyboard('a')
    await waitFor(() => expect(run).toHaveBeenLastCalledWith('a'))
    cleanup()
    return run.mock.calls.flat().includes('s')
  }
  expect(await ran(() => {})).toBe(true)
  expect(await ran(() => user.keyboard('j'))).toBe(false)
  expect(await ran(() => user.click(document.body))).toBe(false)
  expect(await ran(text => text.focus())).toBe(false)
})

test('the Enter that ends a composition enters nothing, also where it comes after the end', () => {
  const enter = vi.fn()
  const { getByLabelText } = render(<input aria-label="Title" onKeyDown={({ key }) => enter(key)} />)
  window.addEventListener('keydown', holdComposedKey, { capture: true })
  const field = getByLabelText('Title')
  fireEvent.compositionEnd(field)
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229, isComposing: false })
  expect(enter).not.toHaveBeenCalled()
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
  expect(enter).toHaveBeenCalledWith('Enter')
  window.removeEventListener('keydown', holdComposedKey, { capture: true })
})
