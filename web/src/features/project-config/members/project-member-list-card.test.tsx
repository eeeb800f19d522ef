import { permission } from '@tessera/contract/permissions'
import { addProjectMember, getProjectMemberCandidates, getProjectMembers } from '@tessera/contract/projects/projects'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { ProjectMemberListCard } from './project-member-list-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const [ada, bob] = [
  { id: 5, LoginName: 'ada', FullName: 'Ada Ames' },
  { id: 6, LoginName: 'bob', FullName: 'Bob Byrd' },
]

async function showCard() {
  const rights = { idProject: 1, held: [permission.manageProject], frozen: undefined }
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  const server = fakeServer()
  server.on(getProjectMembers, () => [])
  server.on(getProjectMemberCandidates, () => [ada, bob])
  const { user } = show(
    <>
      <ProjectMemberListCard rights={rights} />
      <Toaster />
    </>,
  )
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Add a person' })
  return { server, user, field, add: screen.getByRole('button', { name: 'ADD MEMBER' }) }
}

test('ADD MEMBER without a person puts the focus into the field, and somebody added meanwhile is said to be a member already', async () => {
  const { server, user, field, add } = await showCard()
  server.on(addProjectMember, () => ({ Success: 1, idProjectMember: 9, Added: 0 }))
  await user.click(add)
  await screen.findByText('Choose a person first')
  expect(document.activeElement).toBe(field)
  await user.type(field, 'ada{Enter}')
  await user.click(add)
  await screen.findByText('Ada Ames is a member already')
})

test('a person who is chosen while another one is being added stays chosen', async () => {
  const { server, user, field, add } = await showCard()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.on(addProjectMember, async () => {
    await promise
    return { Success: 1, idProjectMember: 9, Added: 1 }
  })
  await user.type(field, 'ada{Enter}')
  await user.click(add)
  await user.clear(field)
  await user.type(field, 'bob{Enter}')
  resolve()
  await screen.findByText('Ada Ames is a member now')
  expect(field.value).toBe('Bob Byrd (bob)')
  await user.click(add)
  await expect
    .poll(() => server.sentTo(addProjectMember).map(({ input }) => input))
    .toEqual([
      { idProject: 1, idUser: ada.id },
      { idProject: 1, idUser: bob.id },
    ])
  await expect.poll(() => field.value).toBe('')
  server.on(addProjectMember, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await user.type(field, 'bob{Enter}')
  await user.click(add)
  await screen.findByText('Busy')
  expect(field.value).toBe('Bob Byrd (bob)')
})
