import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Autocomplete } from '../autocomplete/autocomplete.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Menu } from '../menu/menu.tsx'
import { Toaster } from '../toaster/toaster.tsx'

afterEach(cleanup)

test('the page keeps the width of its scroll bar until the last layer is gone', () => {
  const { documentElement } = document
  const { innerWidth } = window
  Object.defineProperty(documentElement, 'clientWidth', {
    configurable: true,
    get: () => (documentElement.style.overflow === 'hidden' ? 1024 : 1009),
  })
  window.innerWidth = 1024
  const anchor = { current: document.body }
  const page = (hasMenu: boolean) => (
    <Dialog onClose={() => {}} aria-labelledby="title">
      <p id="title">Title</p>
      {hasMenu && <Menu label="Menu" anchor={anchor} open onClose={() => {}} choices={[{ key: 'a', label: 'A' }]} />}
    </Dialog>
  )
  const { rerender, unmount } = render(page(false))
  const paddings = [false, true, false].map(hasMenu => {
    rerender(page(hasMenu))
    return documentElement.style.paddingRight
  })
  // For what is fixed, such as the title bar.
  expect(documentElement.style.getPropertyValue('--scroll-bar')).toBe('15px')
  unmount()
  expect([...paddings, documentElement.style.paddingRight]).toEqual(['15px', '15px', '15px', ''])
  expect(documentElement.style.getPropertyValue('--scroll-bar')).toBe('')
  window.innerWidth = innerWidth
  Reflect.deleteProperty(documentElement, 'clientWidth')
})

test('closing a layer does not measure the page, which may be about to change', () => {
  const { unmount } = render(
    <Dialog onClose={() => {}} aria-labelledby="title">
      <p id="title">Title</p>
    </Dialog>,
  )
  const measured = vi.spyOn(document.documentElement, 'clientWidth', 'get')
  unmount()
  expect(measured).not.toHaveBeenCalled()
  measured.mockRestore()
})

test('Escape that ends a composition leaves the dialog open', () => {
  const onClose = vi.fn()
  render(
    <Dialog onClose={onClose} aria-labelledby="title">
      <p id="title">Title</p>
      <input aria-label="Name" />
    </Dialog>,
  )
  const name = screen.getByRole('textbox', { name: 'Name' })
  fireEvent.keyDown(name, { key: 'Escape', isComposing: true })
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.keyDown(name, { key: 'Escape' })
  expect(onClose).toHaveBeenCalledOnce()
})

test('a click beside a dialog closes it, the second one of a double click that opened it does not', () => {
  const onClose = vi.fn()
  render(
    <Dialog onClose={onClose} aria-labelledby="title">
      <p id="title">Title</p>
    </Dialog>,
  )
  const layer = screen.getByRole('dialog').parentElement as HTMLElement
  for (const detail of [2, 1]) {
    fireEvent.mouseDown(layer, { detail })
    // Without a detail: a layer that was closed just before takes second clicks away.
    fireEvent.click(layer)
    expect(onClose).toHaveBeenCalledTimes(detail === 2 ? 0 : 1)
  }
})

test('the second click of a double click on an entry of a menu does not reach what is below', () => {
  const onClick = vi.fn()
  const page = (isOpen: boolean) => (
    <>
      <button type="button" onClick={onClick}>
        Below
      </button>
      <Menu label="Menu" anchor={{ current: document.body }} open={isOpen} onClose={() => {}} choices={[{ key: 'a', label: 'A' }]} />
    </>
  )
  const { rerender } = render(page(true))
  rerender(page(false))
  const below = screen.getByRole('button', { name: 'Below' })
  fireEvent.click(below, { detail: 2 })
  expect(onClick).not.toHaveBeenCalled()
  fireEvent.click(below, { detail: 1 })
  expect(onClick).toHaveBeenCalledOnce()
})

test('a dialog that opened while nothing had the focus gives it to the heading', () => {
  const page = (isOpen: boolean) => (
    <>
      <h1 tabIndex={-1}>Page</h1>
      {isOpen && (
        <Dialog onClose={() => {}} aria-labelledby="title">
          <p id="title">Title</p>
        </Dialog>
      )}
    </>
  )
  const { rerender } = render(page(true))
  rerender(page(false))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Page' }))
})

test('a dialog leaves messages and the lists of its fields to screen readers, and nothing else of the page once it was announced', async () => {
  const root = document.body.appendChild(document.createElement('main'))
  render(
    <>
      <Toaster />
      <Dialog onClose={() => {}} aria-labelledby="title">
        <p id="title">Title</p>
        <Autocomplete label="Person" options={[{ id: 1, text: 'Ada' }]} value={null} onChange={() => {}} />
      </Dialog>
    </>,
  )
  fireEvent.click(screen.getByRole('combobox'))
  const isOutside = ({ inert, ariaHidden }: HTMLElement) => inert || ariaHidden === 'true'
  expect(isOutside(root)).toBe(false)
  await waitFor(() => expect(isOutside(root)).toBe(true))
  for (const part of [screen.getByRole('region', { name: 'Messages' }), screen.getByRole('region', { name: 'Choices' })])
    expect([part.parentElement, isOutside(part)]).toEqual([document.body, false])
  expect(screen.getByRole('dialog').ariaModal).toBeNull()
  root.remove()
})
