import { getTextNames } from '@tessera/contract/tickets/watchers'
import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { refetchInBackground } from '../../../lib/calls/background.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import type { Ticket } from '../ticket.ts'
import { RichText } from './rendering/rich-text.tsx'

const ticket = { idTicket: 5, idProject: 3, Attachments: [] } as unknown as Ticket

test('all references in the texts of a page are read in one call; tickets and labels become links, people are marked, the rest is text', async () => {
  enterSession(signedIn({ projects: [{ id: 1, shortcode: 'OPS', Title: 'Operations' }] }))
  const server = fakeServer()
  server.on(getTextNames, () => ({
    Tickets: [
      { id: 42, pcode: 'OPS', Title: 'Wheel squeaks' },
      { id: 43, pcode: 'WEB', Title: 'Of another code' },
    ],
    People: [{ idUser: 2, Login: 'Noor', Name: 'Noor Haddad' }],
    Labels: [{ idLabel: 9, Label: 'Needs Review', Color: '#aa0000' }],
  }))
  // The renderer comes while they are shown.
  const { client } = await act(async () =>
    show(
      <>
        <RichText ticket={ticket} text="See OPS-42 and OPS-43, UTF-8. Not `OPS-42` or https://a.example/OPS-42." />
        <RichText ticket={ticket} text="Ask @noor, not @nobody or me@noor." />
        <RichText ticket={ticket} text="Is #needs-review: see `#code`, #nothing. Not C#sharp, https://a.example/#needs-review or # alone" />
      </>,
    ),
  )
  const link = await screen.findByRole('link', { name: 'OPS-42' })
  expect(link.getAttribute('href')).toBe('/view-ticket/42')
  expect(link.title).toBe('Wheel squeaks')
  const label = screen.getByRole('link', { name: '#needs-review' })
  expect(label.getAttribute('href')).toBe('/view-project/3?label=9')
  expect(label.title).toBe('Tickets with the label Needs Review')
  expect(screen.getAllByRole('link')).toHaveLength(4)
  expect(screen.getByTitle('Noor Haddad').textContent).toBe('@noor')
  expect(document.querySelectorAll('[data-name]')).toHaveLength(1)
  expect(server.sentTo(getTextNames).map(({ input }) => input)).toEqual([
    { idTicket: 5, Tickets: [42, 43], Logins: ['noor', 'nobody'], Labels: ['needs-review', 'nothing'] },
  ])
  // Another person's change does not extend the session.
  await act(() => refetchInBackground(client, () => true))
  expect(server.sentTo(getTextNames).map(({ headers }) => headers.get('x-background'))).toEqual([null, '1'])
})

test('what a text names that is shown later is read too', async () => {
  enterSession(signedIn({ projects: [{ id: 1, shortcode: 'OPS', Title: 'Operations' }] }))
  const server = fakeServer()
  server.on(getTextNames, ({ Tickets }) => ({ Tickets: Tickets.map(id => ({ id, pcode: 'OPS', Title: 'Known' })), People: [] }))
  let come = () => {}
  function Page() {
    const [texts, show] = useState(['See OPS-42'])
    come = () => show([...texts, 'See OPS-43'])
    return texts.map(text => <RichText key={text} ticket={ticket} text={text} />)
  }
  show(<Page />)
  await screen.findByRole('link', { name: 'OPS-42' })
  act(come)
  await screen.findByRole('link', { name: 'OPS-43' })
  expect(server.sentTo(getTextNames).map(({ input }) => (input as { Tickets: number[] }).Tickets)).toEqual([[42], [43]])
})

test('a text without references makes no call', async () => {
  const server = fakeServer()
  await act(async () => show(<RichText ticket={ticket} text="**Only** words" />))
  await screen.findByText('Only')
  expect(server.requests).toHaveLength(0)
})
