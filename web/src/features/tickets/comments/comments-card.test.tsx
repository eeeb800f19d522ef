import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { getTicketComments, setTicketComment } from '@tessera/contract/tickets/comments'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { refetchInBackground } from '../../../lib/calls/background.ts'
import { readKept } from '../../../lib/forms/drafts/kept.ts'
import { useActiveActions } from '../../../lib/input/actions.ts'
import { noteSeen } from '../../../lib/session/activity.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import { placeholder } from '../text/editor/uploading.ts'
import type { Ticket } from '../ticket.ts'
import { CommentsCard } from './comments-card.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const ticket = {
  idTicket: 5,
  idProject: 3,
  ProjectTitle: 'Operations',
  Attachments: [],
  Permissions: [permission.viewTickets, permission.comment],
} as unknown as Ticket

const comment = (idComment: number, Comment: string) => ({
  idComment,
  Comment,
  DateCreated: 1_780_000_000,
  Author: 'Ada',
  ChangeCount: 1,
  Editable: 1 as const,
  Reactions: [],
})

/** The card, and a way to let the comment under way be stored. */
function setUp(comments = [comment(9, 'old')]) {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getTicketComments, () => comments)
  let store = () => {}
  server.on(
    setTicketComment,
    ({ idComment = 10, Version }) =>
      new Promise<{ Success: 1; idComment: number; Version?: number }>(resolve => {
        store = () => resolve({ Success: 1, idComment, ...(Version && { Version: Version + 1 }) })
      }),
  )
  const Page = () => (
    <>
      <CommentsCard ticket={ticket} blocked={undefined} onDirtyChange={() => undefined} />
      <Actions />
    </>
  )
  const { user, client } = showPages([{ path: '/', Component: Page }])
  const sent = () => server.sentTo(setTicketComment).map(({ input }) => input)
  return { server, user, client, sent, store: () => store() }
}
const Actions = () =>
  useActiveActions().map(({ label, run }) => <button key={label} type="button" onClick={() => run?.()} children={label} />)
const box = (name: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name })

test('text typed while a comment is sent stays in the box', async () => {
  const { user, sent, store } = setUp()
  await user.type(await box('Add comment'), 'first')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toHaveLength(1))
  await user.type(await box('Add comment'), ' and second')
  store()
  await waitFor(async () => expect((await box('Add comment')).value).toBe('and second'))
  expect(document.activeElement).toBe(await box('Add comment'))
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toHaveLength(2))
  store()
  await waitFor(async () => expect((await box('Add comment')).value).toBe(''))
  // Screen readers read it out.
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Comment added')
  expect(sent()).toMatchObject([{ Comment: 'first' }, { Comment: 'and second' }])
})

test('a new comment leaves the older ones that were asked for; more than a page of new ones leaves no gap before them', async () => {
  const all = Array.from({ length: 3 * limits.pageSize }, (_, index) => comment(3 * limits.pageSize - index, `text ${index}`))
  const { server, user, client, store, sent } = setUp()
  server.on(getTicketComments, ({ Before = Number.POSITIVE_INFINITY }) =>
    all.filter(({ idComment }) => idComment < Before).slice(0, limits.pageSize),
  )
  const count = async (rows: number) => waitFor(() => expect(document.querySelectorAll('[data-comment]')).toHaveLength(rows))
  for (const page of [2, 3]) {
    await user.click(await screen.findByRole('button', { name: 'SHOW OLDER COMMENTS' }))
    await count(page * limits.pageSize)
  }
  await user.type(await box('Add comment'), 'new')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toHaveLength(1))
  all.unshift(comment(all.length + 1, 'new'))
  store()
  await screen.findByText('new', { selector: '[data-comment] *' })
  await count(all.length)

  const newest = all.length
  all.unshift(...Array.from({ length: limits.pageSize + 1 }, (_, index) => comment(newest + limits.pageSize + 1 - index, 'while away')))
  const before = server.requests.length
  await refetchInBackground(client, () => true)
  await count(limits.pageSize)
  // None of it extends the session.
  const headers = server.requests.slice(before).map(({ headers }) => headers.get('x-background'))
  expect(headers).toEqual(headers.map(() => '1'))
  expect(screen.getByRole('button', { name: 'SHOW OLDER COMMENTS' })).toBeDefined()
})

test('text typed while an edit is sent becomes the next edit', async () => {
  const { user, sent, store } = setUp()
  await user.click(await screen.findByRole('button', { name: 'Edit comment' }))
  await user.type(await box('Edit comment'), ' one')
  // With Caps Lock.
  await user.keyboard('{Control>}S{/Control}')
  await waitFor(() => expect(sent()).toHaveLength(1))
  await user.type(await box('Edit comment'), ' two')
  store()
  await waitFor(() => expect(screen.getByRole('button', { name: 'SAVE' }).getAttribute('aria-busy')).not.toBe('true'))
  expect((await box('Edit comment')).value).toBe('old one two')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toHaveLength(2))
  store()
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit comment' })).toBeNull())
  expect(sent()).toEqual([
    { idTicket: 5, idComment: 9, Comment: 'old one', Version: 1 },
    { idTicket: 5, idComment: 9, Comment: 'old one two', Version: 2 },
  ])
})

test('the edit of a comment that is not among the loaded ones stays in sight', async () => {
  const comments = [comment(9, 'old')]
  const { user } = setUp(comments)
  await user.click(await screen.findByRole('button', { name: 'Edit comment' }))
  await user.type(await box('Edit comment'), ' one')
  // A picture whose upload ends with the page.
  fireEvent.change(await box('Edit comment'), { target: { value: `old one${placeholder('a.png', 1)}\n` } })
  expect(screen.getByRole('button', { name: 'SAVE' })).toHaveProperty('disabled', true)
  cleanup()
  // After a reload the comment is on a later page.
  const { server, client, user: again } = setUp([comment(11, 'newer')])
  expect((await box('Edit comment')).value).toBe('old one')
  expect(screen.getByText('You are editing an older comment.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'SAVE' })).toHaveProperty('disabled', false)
  // One comment is edited at a time.
  await screen.findByText('newer')
  expect(screen.queryByRole('button', { name: 'Edit comment' })).toBeNull()
  expect(screen.getByText(/not saved yet/)).toBeDefined()
  await again.click(screen.getByRole('button', { name: 'CANCEL' }))
  // The next edit of it begins with the stored text.
  server.on(getTicketComments, () => [comment(11, 'newer'), comment(9, 'old')])
  await client.invalidateQueries()
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Edit comment' })).toHaveLength(2))
  await again.click(screen.getAllByRole('button', { name: 'Edit comment' })[1] as HTMLElement)
  expect((await box('Edit comment')).value).toBe('old')
  expect(screen.queryByText(/not saved yet/)).toBeNull()
  // An edit that changed nothing is not kept beside a new comment.
  await again.type(await box('Add comment'), 'new')
  cleanup()
  const { user: later } = setUp([comment(9, 'old')])
  await screen.findByRole('button', { name: 'Edit comment' })
  await later.click(screen.getByRole('button', { name: 'DISCARD' }))
  expect(document.activeElement).toBe(await box('Add comment'))
})

test('an edit of a comment that was deleted meanwhile says so and keeps the text', async () => {
  const { server, user } = setUp()
  server.on(setTicketComment, () => new Refusal(404, { error: 'Not found', code: 'not_found', requestId: '1' }))
  await user.click(await screen.findByRole('button', { name: 'Edit comment' }))
  await user.type(await box('Edit comment'), ' one')
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  expect(await screen.findByText(/This comment was deleted meanwhile/)).toBeDefined()
  expect((await box('Edit comment')).value).toBe('old one')
})

test('a comment that is sent again after a reload is the same request', async () => {
  const { server, user, sent } = setUp()
  await user.type(await box('Add comment'), 'first')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(sent()).toHaveLength(1))
  // The page is loaded again before the answer.
  cleanup()
  const { server: after, user: again, store } = setUp()
  expect((await box('Add comment')).value).toBe('first')
  await again.click(screen.getByRole('button', { name: 'SAVE' }))
  await waitFor(() => expect(after.sentTo(setTicketComment)).toHaveLength(1))
  const keys = [server, after].map(each => each.sentTo(setTicketComment)[0]?.headers.get('idempotency-key'))
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  store()
  await waitFor(async () => expect((await box('Add comment')).value).toBe(''))

  // The same words once more are another comment.
  await again.type(await box('Add comment'), 'first')
  await again.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(after.sentTo(setTicketComment)).toHaveLength(2))
  expect(after.sentTo(setTicketComment)[1]?.headers.get('idempotency-key')).not.toBe(keys[0])
})

test('text typed while a save runs into a conflict stays', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getTicketComments, () => [comment(9, 'old')])
  const { promise, resolve } = Promise.withResolvers<Refusal>()
  server.on(setTicketComment, () => promise)
  const { user } = showPages(
    [{ path: '/', Component: () => <CommentsCard ticket={ticket} blocked={undefined} onDirtyChange={() => {}} /> }],
    '/',
  )
  await user.click(await screen.findByRole('button', { name: 'Edit comment' }))
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit comment' })
  await user.type(box, ' and new')
  await user.click(screen.getAllByRole('button', { name: 'SAVE' }).at(-1) as HTMLElement)
  await user.type(box, ' and newer')
  resolve(new Refusal(409, { error: 'Changed', code: 'conflict', Comment: 'theirs', Version: 2 }))
  await waitFor(() => expect(document.body.textContent).toContain('theirs'))
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit comment' }).value).toBe('old and new and newer')
})

test('what is stored after the page was left is not offered again; what else was typed is', async () => {
  noteSeen()
  const added = setUp()
  await added.user.type(await box('Add comment'), 'once')
  await added.user.click(screen.getByRole('button', { name: 'SAVE' }))
  await added.user.click(screen.getByRole('button', { name: 'Edit comment' }))
  await added.user.type(await box('Edit comment'), ' and new')
  cleanup()
  expect(readKept('comment-5')?.value).toMatchObject({ text: 'once', edited: { text: 'old and new' } })
  added.store()
  await waitFor(() => expect(readKept('comment-5')?.value).toMatchObject({ text: '', edited: { text: 'old and new' } }))

  const edited = setUp()
  await box('Edit comment')
  await edited.user.click(screen.getByRole('button', { name: 'SAVE' }))
  await waitFor(() => expect(edited.sent()).toHaveLength(1))
  cleanup()
  edited.store()
  await waitFor(() => expect(readKept('comment-5')).toBeUndefined())
})

test('what is typed keeps the focus and can be copied when the ticket takes no more comments', async () => {
  const { server } = setUp([])
  cleanup()
  let block = (_reason: string | undefined) => {}
  function Page() {
    const [blocked, setBlocked] = useState<string>()
    block = setBlocked
    return <CommentsCard ticket={ticket} blocked={blocked} onDirtyChange={() => undefined} />
  }
  const { user } = showPages([{ path: '/', Component: Page }])
  await user.type(await box('Add comment'), 'mine')
  await act(async () => block('This ticket is in the trash'))
  const typed = await box('Add comment')
  expect([document.activeElement, typed.readOnly, typed.disabled]).toEqual([typed, true, false])
  await user.type(typed, ' and more{Control>}{Enter}{/Control}')
  expect([typed.value, server.sentTo(setTicketComment)]).toEqual(['mine', []])
  await act(async () => block(undefined))
  await user.type(typed, ' again')
  expect(typed.value).toBe('mine again')
})

test('the palette leads to the box for a comment, also from its preview', async () => {
  const { user } = setUp()
  const add = await box('Add comment')
  await user.click(screen.getByRole('tab', { name: 'PREVIEW' }))
  await user.click(screen.getByRole('button', { name: 'Write a comment' }))
  expect([add.closest('[hidden]'), document.activeElement]).toEqual([null, add])
})
