import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { TicketHeading } from './ticket-heading.tsx'

afterEach(cleanup)

test('Enter and Escape that end a composition are not meant for the title', () => {
  const onChange = vi.fn()
  render(<TicketHeading code="TIM-7" title="日本" readOnly={false} onChange={onChange} />)
  fireEvent.click(screen.getByRole('button', { name: '日本' }))
  const box = screen.getByRole('textbox', { name: 'Description' })
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(box, { key: 'Escape', isComposing: true })
  expect(box.isConnected).toBe(true)
  expect(onChange).not.toHaveBeenCalled()
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(box.isConnected).toBe(false)
  const start = screen.getByRole('button', { name: '日本' })
  expect(document.activeElement).toBe(start)
  // Escape takes back what was typed.
  fireEvent.click(start)
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Description' }), { key: 'Escape' })
  expect(onChange.mock.calls).toEqual([['日本']])
})
