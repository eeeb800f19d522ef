import { limits } from '@tessera/contract/limits'
import { getCommentHistory } from '@tessera/contract/tickets/comments'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { CommentHistoryDialog } from './comment-history-dialog.tsx'

afterEach(cleanup)

test('each version is compared with the one before; those before the latest hundred are shown on request', async () => {
  const count = limits.pageSize + 5
  const all = Array.from({ length: count }, (_, index) => ({
    Version: count - index,
    DateChanged: 1_780_000_000,
    Author: 'Ada',
    Comment: `text ${count - index}`,
  }))
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getCommentHistory, ({ Before = Number.POSITIVE_INFINITY }) =>
    all.filter(({ Version }) => Version < Before).slice(0, limits.pageSize),
  )
  const { user } = showPages([
    { path: '/', Component: () => <CommentHistoryDialog idTicket={5} idComment={9} onClose={() => undefined} /> },
  ])
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(limits.pageSize))
  await user.click(screen.getByRole('button', { name: 'SHOW OLDER VERSIONS' }))
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(count))
  expect(screen.queryByRole('button', { name: 'SHOW OLDER VERSIONS' })).toBeNull()
  // Also across the two pages; the first version is compared with nothing.
  const changes = [0, limits.pageSize - 1, count - 1].map(index => {
    const row = screen.getAllByRole('listitem')[index]
    return ['del', 'ins'].map(tag => row?.querySelector(tag)?.textContent)
  })
  expect(changes).toEqual([
    [`${count - 1}`, `${count}`],
    ['5', '6'],
    [undefined, undefined],
  ])
})
