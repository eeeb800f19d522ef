import { cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { enableShortcuts, useShortcuts } from './use-shortcuts.ts'

afterEach(() => {
  cleanup()
  enableShortcuts(true)
})

const run = vi.fn()
function Screen({ keys }: { keys: string[] }) {
  useShortcuts(keys.map(name => ({ keys: name, label: name, run: () => run(name) })))
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
