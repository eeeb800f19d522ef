import { getClientConfig } from '@tessera/contract/people/session'
import { permission } from '@tessera/contract/permissions'
import { setUserPermission } from '@tessera/contract/projects/project-config'
import { addProjectMember, removeProjectMember } from '@tessera/contract/projects/projects'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { getTextNames } from '@tessera/contract/tickets/watchers'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { fakeUploads } from '../../../../test/fake-uploads.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import type { Ticket } from '../ticket.ts'
import { CommentEditor } from './comment-editor.tsx'

const ticket = { idTicket: 5, idProject: 3, ProjectTitle: 'Operations', Attachments: [], Permissions: [1, 6] } as unknown as Ticket

function Edited({ permissions = ticket.Permissions }) {
  const [{ text, before, version }, set] = useState({ text: 'mine', before: 'old', version: 1 })
  return (
    <CommentEditor
      ticket={{ ...ticket, Permissions: permissions }}
      idComment={9}
      label="Edit comment"
      text={text}
      before={before}
      version={version}
      onChange={changed => set(now => ({ ...now, text: changed }))}
      onConflict={({ Comment, Version }) => set(now => ({ ...now, before: Comment, version: Version }))}
      onDiscard={() => undefined}
      onSaved={() => undefined}
      onCancel={() => undefined}
    />
  )
}

test('an edit of a text that changed meanwhile says so and keeps what was typed; the next save replaces the text', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const conflict = { error: 'This comment was changed meanwhile', code: 'conflict', requestId: '1', Version: 3, Comment: 'theirs' }
  let answers = 0
  server.on(setTicketComment, () => (answers++ === 0 ? new Refusal(409, conflict) : { Success: 1, idComment: 9 }))
  await act(async () => show(<Edited />))
  const save = screen.getByRole('button', { name: 'SAVE' })
  await userEvent.click(save)
  expect((await screen.findByText('theirs')).closest('[role=alert]')?.textContent).toContain('changed in another window meanwhile')
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('mine')
  await userEvent.click(save)
  expect(server.sentTo(setTicketComment).map(({ input }) => input)).toEqual([
    { idTicket: 5, idComment: 9, Comment: 'mine', Version: 1 },
    { idTicket: 5, idComment: 9, Comment: 'mine', Version: 3 },
  ])
  expect(screen.queryByText('theirs')).toBeNull()
})

test('files that are dropped before the editor’s tools have loaded are all passed on, whatever their accepted type', async () => {
  enterSession(signedIn())
  fakeServer().on(
    getClientConfig,
    () => ({ limits: { attachmentTypes: ['image/png', 'application/pdf'], attachmentMaxBytes: 9 } }) as never,
  )
  fakeUploads()
  const drop = () => {
    const files = ['image/png', 'application/pdf'].map(type => new File(['x'], type.replace('/', '.'), { type }))
    const dataTransfer = { types: ['Files'], files }
    const box = screen.getByRole('textbox')
    expect([fireEvent.dragOver(box, { dataTransfer }), fireEvent.drop(box, { dataTransfer })]).toEqual([false, false])
  }
  await act(async () => show(<Edited permissions={[permission.viewTickets, permission.addAttachments]} />))
  drop()
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toMatch(/Uploading image.png.*\n.*Uploading application.pdf/),
  )
  cleanup()
  await act(async () =>
    show(
      <>
        <Edited />
        <Toaster />
      </>,
    ),
  )
  drop()
  expect(await screen.findByText('Needs the permission Add attachments')).toBeTruthy()
})

test('what the server accepts as a picture is read once, not again with the next editor after a comment', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getClientConfig, () => ({ limits: { attachmentTypes: ['image/png'], attachmentMaxBytes: 9 } }) as never)
  server.on(setTicketComment, () => ({ Success: 1, idComment: 9 }))
  function Editors() {
    const [count, setCount] = useState(1)
    return (
      <>
        <button type="button" onClick={() => setCount(count + 1)}>
          NEXT
        </button>
        <Edited key={count} permissions={[permission.viewTickets, permission.addAttachments]} />
      </>
    )
  }
  await act(async () => show(<Editors />))
  await waitFor(() => expect(server.sentTo(getClientConfig)).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: 'SAVE' }))
  await waitFor(() => expect(server.sentTo(setTicketComment)).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: 'NEXT' }))
  await act(async () => undefined)
  expect(server.sentTo(getClientConfig)).toHaveLength(1)
})

/** A new comment that mentions somebody who may not view the ticket, about to be sent. */
async function mentioning(Permissions: number[], Member: 0 | 1, Name = 'Olga Out', Added: 0 | 1 = Member === 1 ? 0 : 1) {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getTextNames, () => ({ Tickets: [], People: [], Outsiders: [{ idUser: 8, Login: 'olga', Name, Member }] }))
  server.on(removeProjectMember, () => ({ Success: 1 }))
  server.on(setTicketComment, () => ({ Success: 1, idComment: 1 }))
  server.on(addProjectMember, () => ({ Success: 1, idProjectMember: 80, Added }))
  server.on(setUserPermission, () => ({ Success: 1, Enabled: 1 }))
  await act(async () =>
    show(
      <>
        <CommentEditor
          ticket={{ ...ticket, Permissions } as Ticket}
          label="Add comment"
          text="@olga, see `@code`"
          onChange={() => undefined}
          onDiscard={() => undefined}
          onSaved={() => undefined}
        />
        <Toaster />
      </>,
    ),
  )
  await userEvent.click(screen.getByRole('button', { name: 'SAVE' }))
  const question = await screen.findByRole('alertdialog', { name: `${Name} cannot see this ticket` })
  expect(server.sentTo(getTextNames).map(({ input }) => input)).toEqual([{ idTicket: 5, Tickets: [], Logins: ['olga'], Outsiders: 1 }])
  return { server, question, press: (name: string) => userEvent.click(within(question).getByRole('button', { name })) }
}

/** Presses UNDO in the toast about this person; those of other tests may still be there. */
async function undo(name: string) {
  const toast = (await screen.findByText(`${name} can see the tickets of Operations`)).closest<HTMLElement>('[data-toast]')
  await userEvent.click(within(toast as HTMLElement).getByRole('button', { name: 'UNDO' }))
}

test('before a text that mentions a non-member is sent, access with its permissions is offered; UNDO revokes it', async () => {
  const { server, question, press } = await mentioning([1, 2, 6, 7, 13], 0)
  expect(question.textContent).toContain(
    'With access, Olga Out joins the project Operations as a Reporter and may: View tickets, Create tickets, Comment, Add attachments. Without it, ',
  )
  await press('CANCEL')
  expect(server.sentTo(setTicketComment)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'SAVE' }))
  await userEvent.click(await screen.findByRole('button', { name: 'GIVE ACCESS' }))
  await waitFor(() => expect(server.sentTo(setTicketComment)).toHaveLength(1))
  expect(server.sentTo(addProjectMember).map(({ input }) => input)).toEqual([{ idProject: 3, idUser: 8, Permissions: [1, 2, 6, 7] }])
  expect(server.sentTo(setUserPermission)).toEqual([])
  await undo('Olga Out')
  await waitFor(() => expect(server.sentTo(removeProjectMember).map(({ input }) => input)).toEqual([{ idProject: 3, idProjectMember: 80 }]))
})

test('a mentioned member who may not view tickets gets only that permission; UNDO revokes it', async () => {
  const { server, question, press } = await mentioning([1, 6, 11, 13], 1, 'Olga In')
  expect(question.textContent).toContain('Olga In, already in the project Operations, gets the permission View tickets.')
  await press('GIVE ACCESS')
  await waitFor(() => expect(server.sentTo(setTicketComment)).toHaveLength(1))
  await undo('Olga In')
  const view = { idProject: 3, idProjectMember: 80, idPermission: 1 }
  await waitFor(() =>
    expect(server.sentTo(setUserPermission).map(({ input }) => input)).toEqual([
      { ...view, Enabled: 1 },
      { ...view, Enabled: 0 },
    ]),
  )
  expect(server.sentTo(removeProjectMember)).toEqual([])
})

test('UNDO does not remove a person whom somebody else has made a member meanwhile', async () => {
  const { server, press } = await mentioning([1, 2, 6, 7, 13], 0, 'Olga Late', 0)
  await press('GIVE ACCESS')
  await waitFor(() => expect(server.sentTo(setTicketComment)).toHaveLength(1))
  expect(server.sentTo(addProjectMember)).toHaveLength(1)
  expect(screen.queryByText(/Olga Late can see/)).toBeNull()
})

test('an author who may not give access is told so, and the text is sent', async () => {
  const { server, question, press } = await mentioning([1, 6], 0)
  expect(within(question).queryByRole('button', { name: 'GIVE ACCESS' })).toBeNull()
  expect(question.textContent).toContain('They are not notified')
  await press('SEND WITHOUT')
  await waitFor(() =>
    expect(server.sentTo(setTicketComment).map(({ input }) => input)).toEqual([{ idTicket: 5, Comment: '@olga, see `@code`' }]),
  )
  expect(server.sentTo(addProjectMember)).toEqual([])
})
