import type { Response } from '@tessera/contract/call'
import type { queryTickets } from '@tessera/contract/tickets/tickets'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../../../test/show.tsx'
import { TicketRow } from './ticket-row.tsx'
import { TicketRows } from './ticket-rows.tsx'

afterEach(cleanup)

const ticket = { id: 5, pcode: 'TI', Title: 'Engine', Type: 'Bug', State: 'Open', Phase: 1, Labels: [], Subordinates: [0, 0, 0] }
const plain = ticket as unknown as Response<typeof queryTickets>['Tickets'][number]

async function guides(depth: number) {
  const props = { idProject: 1, rowKey: '5', added: [], isOpen: undefined, isCurrent: false, position: 2, me: '' }
  show(
    <table>
      <tbody>
        <TicketRow {...props} ticket={plain} depth={depth} />
      </tbody>
    </table>,
  )
  const row = await screen.findByRole('row')
  // Its description tells it from those of other rows.
  expect(screen.getByRole('checkbox', { name: 'Select' }).getAttribute('aria-description')).toBe('TI-5')
  cleanup()
  return { onPhone: row.querySelectorAll('.guide:not(.deep)').length, level: row.querySelector('.depth')?.textContent }
}

test('on a phone deep rows have four lines and the number of their level', async () => {
  expect(await guides(5)).toEqual({ onPhone: 5, level: undefined })
  expect(await guides(19)).toEqual({ onPhone: 4, level: '20' })
})

test('rows are counted with the headings of groups between them', async () => {
  const heading = { kind: 'group', key: 'open', depth: 0, label: 'Open', phase: 1, total: 1 } as const
  const fixed = { idProject: 1, added: [], columns: 8, rowHeight: 36, isFlat: true, current: undefined, onDrawn: () => undefined }
  const [body, scrollTo] = [{ current: null }, { current: () => undefined }]
  const rows = [heading, { kind: 'ticket', key: '5', depth: 0, ticket: plain, isOpen: false } as const]
  show(
    <table>
      <tbody>
        <TicketRows {...fixed} body={body} scrollTo={scrollTo} rows={rows} />
      </tbody>
    </table>,
  )
  await screen.findByText('Engine')
  expect(screen.getAllByRole('row').map(row => row.getAttribute('aria-rowindex'))).toEqual(['3', '4'])
})
