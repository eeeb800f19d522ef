import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { Sortable } from './sortable.tsx'
import { SortableItem, SortableList } from './sortable-item.tsx'

afterEach(cleanup)

test('a drop is announced once it is stored, but not while the item is in hand again; until then closing the tab asks', async () => {
  const user = userEvent.setup()
  let store = () => {}
  const stored = () =>
    new Promise<void>(resolve => {
      store = resolve
    })
  render(
    <Sortable lists={{ rows: [1, 2] }} nameOf={id => `Row ${id}`} onChange={stored}>
      {({ rows }) => (
        <SortableList as="ul" list="rows">
          {rows.map((id, index) => (
            <SortableItem key={id} as="li" id={id} index={index} list="rows" name={`Row ${id}`}>
              {handle => handle}
            </SortableItem>
          ))}
        </SortableList>
      )}
    </Sortable>,
  )
  const said = () => document.querySelector('[aria-live=assertive]')?.textContent
  screen.getByRole('button', { name: 'Move Row 1' }).focus()
  await user.keyboard(' {ArrowDown} ')
  expect(said()).toBe('')
  // Closing the tab now would lose the order.
  const isClosingAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(isClosingAsked()).toBe(true)
  await act(async () => store())
  expect(isClosingAsked()).toBe(false)
  expect(said()).toBe('Dropped Row 1, position 2 of 2.')
  await user.keyboard(' {ArrowDown}  ')
  await act(async () => store())
  expect(said()).toBe('Picked up Row 1, position 2 of 2.')
})
