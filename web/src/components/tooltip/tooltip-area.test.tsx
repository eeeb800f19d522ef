import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { TooltipArea } from './tooltip-area.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

// In an asynchronous `act`: what the pointer does is not rendered at once.
const point = (to: Element) => act(async () => void fireEvent.pointerOver(to))
const leave = (element: Element, to: Element) => act(async () => void fireEvent.pointerOut(element, { relatedTarget: to }))
const waitOneSecond = () => act(async () => void vi.advanceTimersByTime(1000))

test('the pointer can rest on the tooltip; beside it the tooltip disappears, and so it does with Escape', async () => {
  vi.useFakeTimers()
  render(
    <TooltipArea>
      <p>
        <b data-tip="Child tickets: 3 proposed">3</b> <i>Elsewhere</i>
      </p>
    </TooltipArea>,
  )
  const [number, elsewhere] = [screen.getByText('3'), screen.getByText('Elsewhere')]
  await point(number)
  const tooltip = screen.getByRole('tooltip')
  expect(tooltip.textContent).toBe('Child tickets: 3 proposed')
  // On its way to the tooltip the pointer leaves the number.
  await point(elsewhere)
  await point(tooltip)
  await waitOneSecond()
  expect(tooltip.isConnected).toBe(true)
  await leave(tooltip, elsewhere)
  await waitOneSecond()
  expect(tooltip.isConnected).toBe(false)
  await point(number)
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(screen.queryByRole('tooltip')).toBeNull()
  // A press is meant for the row below it.
  await point(number)
  fireEvent.pointerDown(screen.getByRole('tooltip'))
  expect(screen.queryByRole('tooltip')).toBeNull()
})
