import type { Response } from '@tessera/contract/call'
import type { queryTickets } from '@tessera/contract/tickets/tickets'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../../../test/show.tsx'
import { TicketRow } from './ticket-row.tsx'

afterEach(cleanup)

async function guides(depth: number) {
  const ticket = { id: 5, pcode: 'TI', Title: 'Engine', Type: 'Bug', State: 'Open', Phase: 1, Labels: [], Subordinates: [0, 0, 0] }
  const props = { idProject: 1, rowKey: '5', added: [], isOpen: undefined, isCurrent: false, position: 2, me: '' }
  const shown = ticket as unknown as Response<typeof queryTickets>['Tickets'][number]
  show(
    <table>
      <tbody>
        <TicketRow {...props} ticket={shown} depth={depth} />
      </tbody>
    </table>,
  )
  const row = await screen.findByRole('row')
  // Its description tells it from those of other rows.
  expect(screen.getByRole('checkbox', { name: 'Select this ticket' }).getAttribute('aria-description')).toBe('TI-5')
  cleanup()
  return { onPhone: row.querySelectorAll('.guide:not(.deep)').length, level: row.querySelector('.depth')?.textContent }
}

test('on a phone deep rows have four lines and the number of their level', async () => {
  expect(await guides(5)).toEqual({ onPhone: 5, level: undefined })
  expect(await guides(19)).toEqual({ onPhone: 4, level: '20' })
})
