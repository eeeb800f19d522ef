import { permission } from '@tessera/contract/permissions'
import { setUserPermission } from '@tessera/contract/projects/project-config'
import { addProjectMember, removeProjectMember } from '@tessera/contract/projects/projects'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { OutsidersDialog } from './outsiders-dialog.tsx'

const { viewTickets, manageProject, managePermissions } = permission
const ticket = { ...plainTicket, ProjectTitle: 'Operations', Permissions: [viewTickets, manageProject, managePermissions] }
const people = [
  { idUser: 8, Login: 'ada', Name: 'Ada Novak', Member: 0 as const },
  { idUser: 9, Login: 'bo', Name: 'Bo Lind', Member: 1 as const },
]

test('a text is not sent when only some of the people got access; UNDO takes it back from these', async () => {
  const server = fakeServer()
  server.on(addProjectMember, ({ idUser }) => ({ Success: 1, idProjectMember: 10 * idUser, Added: idUser === 8 ? 1 : 0 }))
  server.on(setUserPermission, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  server.on(removeProjectMember, () => ({ Success: 1 }) as never)
  const onSend = vi.fn()
  const { user } = show(
    <>
      <OutsidersDialog ticket={ticket} people={people} onSend={onSend} onCancel={vi.fn()} />
      <Toaster />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'GIVE ACCESS' }))
  await screen.findByText('Busy')
  await screen.findByText('Ada Novak can see the tickets of Operations')
  expect(onSend).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'UNDO' }))
  await screen.findByText('Access was removed')
  expect(server.sentTo(removeProjectMember).map(({ input }) => input)).toEqual([{ idProject: ticket.idProject, idProjectMember: 80 }])

  // At the second attempt everybody gets it.
  server.on(setUserPermission, () => ({ Enabled: 1 }) as never)
  await user.click(screen.getByRole('button', { name: 'GIVE ACCESS' }))
  await waitFor(() => expect(onSend).toHaveBeenCalledOnce())
  const view = { idProject: ticket.idProject, idProjectMember: 90, idPermission: viewTickets, Enabled: 1 }
  expect(server.sentTo(setUserPermission).at(-1)?.input).toEqual(view)
})
