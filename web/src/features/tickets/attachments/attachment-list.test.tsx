import { permission } from '@tessera/contract/permissions'
import { deleteAttachment, restoreAttachment } from '@tessera/contract/tickets/attachments'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { plainTicket } from '../../../../test/ticket.ts'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { AttachmentList } from './attachment-list.tsx'

afterEach(cleanup)

const Attachments = [
  { id: 4, name: 'a-rather-long-name.png' },
  { id: 5, name: 'other.png' },
]
const { viewTickets, addAttachments, manageProject } = permission

function list(permissions: number[], blocked?: string) {
  const server = fakeServer()
  server.on(deleteAttachment, () => ({ Success: 1, Shown: 2 }))
  server.on(restoreAttachment, () => ({ Success: 1 }))
  const ticket = { ...plainTicket, idTicket: 7, Attachments, OwnAttachments: [4], Permissions: permissions }
  const { user } = show(
    <>
      <AttachmentList ticket={ticket} blocked={blocked} />
      <Toaster />
    </>,
  )
  const buttons = () => screen.queryAllByRole('button', { name: 'Delete attachment' })
  return { server, user, buttons }
}

test('an attachment is deleted at once and restored by UNDO', async () => {
  const { server, user, buttons } = list([viewTickets, addAttachments])
  expect(buttons().map(button => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent)).toEqual([
    'a-rather-l….png',
  ])
  await user.click(buttons()[0] as HTMLElement)
  await screen.findByText('a-rather-long-name.png was deleted. 2 texts had shown it')
  await user.click(screen.getByRole('button', { name: 'UNDO' }))
  await screen.findByText('a-rather-long-name.png is back')
  const input = { idTicket: 7, idAttachment: 4 }
  await waitFor(() =>
    expect([...server.sentTo(deleteAttachment), ...server.sentTo(restoreAttachment)].map(call => call.input)).toEqual([input, input]),
  )
})

test('an attachment that cannot be deleted stays, and the page says why', async () => {
  const { server, user, buttons } = list([viewTickets, addAttachments])
  server.on(deleteAttachment, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await user.click(buttons()[0] as HTMLElement)
  await screen.findByText('Busy')
  expect(buttons()).toHaveLength(1)
})

test('a project manager deletes every attachment, and nobody while the ticket takes no change', () => {
  expect(list([viewTickets, manageProject]).buttons()).toHaveLength(2)
  cleanup()
  expect(list([viewTickets]).buttons()).toEqual([])
  cleanup()
  expect(list([viewTickets, addAttachments, manageProject], 'This ticket is in the trash').buttons()).toEqual([])
})

test('the second click of a double click does not delete the attachment that has moved under the pointer', async () => {
  const { server, buttons } = list([viewTickets, manageProject])
  const [first, next] = buttons() as [HTMLElement, HTMLElement]
  fireEvent.click(first, { detail: 1 })
  fireEvent.click(next, { detail: 2 })
  await screen.findByText(/was deleted/)
  expect(server.sentTo(deleteAttachment).map(({ input }) => input)).toEqual([{ idTicket: 7, idAttachment: 4 }])
})
