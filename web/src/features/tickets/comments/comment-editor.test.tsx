import { setTicketComment } from '@tessera/contract/comments'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { enterSession } from '../../../lib/session.tsx'
import type { Ticket } from '../ticket.ts'
import { CommentEditor } from './comment-editor.tsx'

const ticket = { idTicket: 5, idProject: 3, Attachments: [], Permissions: [1, 6] } as unknown as Ticket

function Edited() {
  const [{ text, before, version }, set] = useState({ text: 'mine', before: 'old', version: 1 })
  return (
    <CommentEditor
      ticket={ticket}
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

test('an edit of a text that is another one meanwhile says so and keeps what was typed; the next save replaces it', async () => {
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
