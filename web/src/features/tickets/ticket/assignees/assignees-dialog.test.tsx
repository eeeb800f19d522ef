import { getProjectRoleList, getProjectUserList, getProjectUserroleList } from '@tessera/contract/tickets/assignees'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { enterSession } from '../../../../lib/session/session.tsx'
import { AssigneesDialog } from './assignees-dialog.tsx'

afterEach(cleanup)

test('a name and Enter assign or remove the first person found, and the next Enter is OK', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getProjectRoleList, () => [
    { id: 1, text: 'Responsible' },
    { id: 2, text: 'Assignee' },
  ])
  server.on(getProjectUserList, () => [
    { id: 7, text: 'Dana Kim' },
    { id: 8, text: 'Ada Novak' },
    { id: 9, text: 'Bo Lind' },
  ])
  server.on(getProjectUserroleList, () => [{ idUser: 9, idRole: 2, Enabled: 1 }])
  const onApply = vi.fn()
  const { user } = show(<AssigneesDialog idTicket={5} changes={[]} onApply={onApply} onClose={vi.fn()} />)
  const search = await screen.findByLabelText<HTMLInputElement>('Search')
  await user.type(search, 'nobody{Enter}')
  expect(onApply).not.toHaveBeenCalled()
  await user.clear(search)
  await user.type(search, 'nov')
  await screen.findByText('Enter: Ada Novak becomes Assignee.')
  await user.keyboard('{Enter}')
  expect(search.value).toBe('')
  await screen.findByText('Ada Novak becomes Assignee.')
  // Escape asks before it drops the change.
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  await user.type(search, 'bo{Enter}')
  await screen.findByText('Bo Lind is no longer Assignee.')
  // After a box was ticked, Enter in the search is OK.
  await user.type(search, 'dana{ArrowDown} {ArrowUp}')
  expect(document.activeElement).toBe(search)
  await user.keyboard('{Enter}')
  expect(onApply).toHaveBeenCalledExactlyOnceWith([
    { idUser: 8, idRole: 2, Enabled: 1 },
    { idUser: 9, idRole: 2, Enabled: 0 },
    { idUser: 7, idRole: 1, Enabled: 1 },
  ])
})
