import { messages } from '@tessera/contract/messages'
import { deleteComment, getTicketComments, setCommentReaction, setTicketComment } from '@tessera/contract/tickets/comments'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { gatherWith } from '../../../../lib/calls/live/refetch-after.ts'
import { enterSession } from '../../../../lib/session/session.tsx'
import type { Ticket } from '../../ticket.ts'
import { CommentsCard } from '../comments-card.tsx'

afterEach(() => {
  cleanup()
  gatherWith(undefined)
  vi.unstubAllGlobals()
})

test('the buttons of a comment are described by its author; after a deletion the focus is on the next comment; failures are said', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  let comments = ['Ada', 'Ben'].map((Author, idComment) => ({
    idComment,
    Author,
    Comment: 'Words',
    DateCreated: 1e9,
    ChangeCount: 1,
    Editable: 1,
    Reactions: [],
  }))
  server.on(getTicketComments, () => comments as never)
  server.on(deleteComment, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  const ticket = { idTicket: 5, idProject: 3, ProjectTitle: 'Operations', Attachments: [], Permissions: [1, 6] } as unknown as Ticket
  const { user } = show(
    <>
      <CommentsCard ticket={ticket} blocked={undefined} onDirtyChange={() => undefined} />
      <Toaster />
    </>,
  )
  const [first, second] = await screen.findAllByRole('button', { name: 'Delete comment' })
  for (const [button, author] of [
    [first, 'Ada'],
    [second, 'Ben'],
  ] as const) {
    expect(document.getElementById(button?.getAttribute('aria-describedby') ?? '')?.textContent).toContain(author)
  }
  first?.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Busy')
  server.on(deleteComment, ({ idComment }) => {
    comments = comments.map(row => (row.idComment === idComment ? { ...row, Editable: 0, DeletedBy: 'Ada' } : row))
    return { Success: 1 }
  })
  await user.keyboard('{Enter}')
  await screen.findByText('This comment was deleted by Ada.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete comment' })))

  // A reaction that is refused disappears again.
  server.on(setCommentReaction, () => new Refusal(422, { error: 'No reactions here', code: 'refused' }))
  await user.click(screen.getByRole('button', { name: 'Add a reaction' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Heart' }))
  await screen.findByText('No reactions here')
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Heart/ })).toBeNull())
})

test('a reaction stays when an answer comes that was under way before it, or before it was stored', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const comment = { idComment: 1, Author: 'Ada', Comment: 'Words', DateCreated: 1e9, ChangeCount: 1, Editable: 1 }
  const reactions = (...names: string[]) => names.map(Reaction => ({ Reaction, Users: ['Me'], Mine: 1 }))
  const { promise: old, resolve: answer } = Promise.withResolvers<unknown>()
  const of = (...names: string[]) => [{ ...comment, Reactions: reactions(...names) }]
  server.on(getTicketComments, () => (server.sentTo(getTicketComments).length === 1 ? of() : old) as never)
  server.on(setCommentReaction, () => ({ Success: 1 }) as never)
  const ticket = { idTicket: 5, idProject: 3, ProjectTitle: 'Operations', Attachments: [], Permissions: [1, 6] } as unknown as Ticket
  const { user, client } = show(<CommentsCard ticket={ticket} blocked={undefined} onDirtyChange={() => undefined} />)
  const react = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: 'Add a reaction' }))
    await user.click(await screen.findByRole('menuitem', { name }))
    await screen.findByRole('button', { name: new RegExp(`^${name}`) })
  }
  await react('Heart')
  await waitFor(() => expect(server.sentTo(getTicketComments)).toHaveLength(2))
  const store = Promise.withResolvers<void>()
  server.on(setCommentReaction, () => store.promise.then(() => ({ Success: 1 })) as never)
  await react('Rocket')
  answer(of('heart'))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  screen.getByRole('button', { name: /^Rocket/ })

  // Nor does it go when the read began while it was being stored; the stream is open.
  gatherWith(() => undefined)
  const late = Promise.withResolvers<unknown>()
  server.on(getTicketComments, () => late.promise as never)
  void client.invalidateQueries()
  await waitFor(() => expect(server.sentTo(getTicketComments)).toHaveLength(3))
  server.on(getTicketComments, () => of('heart', 'rocket') as never)
  store.resolve()
  await waitFor(() => expect(server.sentTo(getTicketComments)).toHaveLength(4))
  late.resolve(of('heart'))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  screen.getByRole('button', { name: /^Rocket/ })
})

test('a reaction that is taken back at once is taken back after it was stored, and does not come back', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const comment = { idComment: 1, Author: 'Ada', Comment: 'Words', DateCreated: 1e9, ChangeCount: 1, Editable: 1 }
  const heart = { Reaction: 'heart', Users: ['Me'], Mine: 1 }
  let isStored = false
  server.on(getTicketComments, () => [{ ...comment, Reactions: isStored ? [heart] : [] }] as never)
  const answers: (() => void)[] = []
  server.on(setCommentReaction, async ({ Enabled }) => {
    await new Promise<void>(resolve => answers.push(resolve))
    isStored = Enabled === 1
    return { Success: 1 }
  })
  const ticket = { idTicket: 5, idProject: 3, ProjectTitle: 'Operations', Attachments: [], Permissions: [1, 6] } as unknown as Ticket
  const { user, client } = show(<CommentsCard ticket={ticket} blocked={undefined} onDirtyChange={() => undefined} />)
  await user.click(await screen.findByRole('button', { name: 'Add a reaction' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Heart' }))
  await user.click(await screen.findByRole('button', { name: /^Heart/ }))
  expect(screen.queryByRole('button', { name: /^Heart/ })).toBeNull()
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.()
  await waitFor(() => expect(answers).toHaveLength(2))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(screen.queryByRole('button', { name: /^Heart/ })).toBeNull()
  answers[1]?.()
  await waitFor(() => expect(server.sentTo(getTicketComments)).toHaveLength(2))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(screen.queryByRole('button', { name: /^Heart/ })).toBeNull()
  expect(server.sentTo(setCommentReaction).map(({ input }) => (input as { Enabled: number }).Enabled)).toEqual([1, 0])
})

test('a task in a comment that cannot be ticked is not shown as done, and the page says why', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const comment = { idComment: 1, Author: 'Ada', Comment: '- [ ] Paint', DateCreated: 1e9, ChangeCount: 1, Editable: 1, Reactions: [] }
  server.on(getTicketComments, () => [comment] as never)
  server.on(setTicketComment, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  const ticket = { idTicket: 5, idProject: 3, ProjectTitle: 'Operations', Attachments: [], Permissions: [1, 6] } as unknown as Ticket
  const { user } = show(
    <>
      <CommentsCard ticket={ticket} blocked={undefined} onDirtyChange={() => undefined} />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('checkbox'))
  await screen.findByText(messages.commentFailed)
  await waitFor(() => expect(screen.getByRole('checkbox')).toHaveProperty('checked', false))
})
