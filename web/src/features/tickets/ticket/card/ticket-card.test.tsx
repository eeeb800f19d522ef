import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { enterSession } from '../../../../lib/session/session.tsx'
import type { Ticket } from '../../ticket.ts'
import { useTicketDraft } from '../use-ticket-draft.ts'
import { TicketCard } from './ticket-card.tsx'

function Shown({ ticket }: { ticket: Ticket }) {
  return <TicketCard ticket={ticket} draft={useTicketDraft(ticket)} blocked={undefined} refusals={{}} />
}

async function facts(ticket: Ticket) {
  enterSession(signedIn({ projects: [{ id: 1, shortcode: 'TIM', Title: 'Titanium' }] }))
  fakeServer()
  await act(async () => show(<Shown ticket={ticket} />))
  const textOf = (term: string) => [...(screen.getByText(term).nextElementSibling?.children ?? [])].map(each => each.textContent)
  return { id: textOf('ID'), created: textOf('Created') }
}

test('an imported ticket shows the key that it had, and who reported it', async () => {
  const { id, created } = await facts({ ...plainTicket, OriginalKey: 'TIMOB-28560', CreatedBy: 'Ann Lee' })
  expect(id).toEqual(['TIM-7', 'imported as TIMOB-28560'])
  expect(created[1]).toBe('by Ann Lee')
})

test('a ticket without a former key or a known author shows neither', async () => {
  const { id, created } = await facts(plainTicket)
  expect(id).toEqual(['TIM-7'])
  expect(created).toHaveLength(1)
})
