import { cleanup, screen } from '@testing-library/react'
import { afterEach, test } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { enterSession } from '../../../../lib/session/session.tsx'
import type { Ticket } from '../../ticket.ts'
import { useTicketDraft } from '../use-ticket-draft.ts'
import { Assignees } from './assignees.tsx'

afterEach(cleanup)

function Shown({ ticket }: { ticket: Ticket }) {
  return <Assignees ticket={ticket} draft={useTicketDraft(ticket)} blocked={undefined} />
}

test('a person is shown once with all roles, and two people of one name are shown as two', async () => {
  enterSession(signedIn())
  fakeServer()
  const held = [
    { idUser: 7, idRole: 1, Name: 'Kim Lee', Role: 'Responsible' },
    { idUser: 8, idRole: 1, Name: 'Kim Lee', Role: 'Responsible' },
    { idUser: 7, idRole: 3, Name: 'Kim Lee', Role: 'Reviewer' },
  ]
  show(<Shown ticket={{ ...plainTicket, Assignees: held }} />)
  await screen.findByText('Kim Lee (Responsible, Reviewer)')
  screen.getByText('Kim Lee (Responsible)')
})
