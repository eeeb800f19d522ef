import { permission } from '@tessera/contract/permissions'
import { addProjectMember, getProjectMemberCandidates, getProjectMembers } from '@tessera/contract/projects/projects'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { ProjectMemberListCard } from './project-member-list-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('ADD MEMBER without a person puts the focus into the field, and somebody added meanwhile is said to be a member already', async () => {
  const rights = { idProject: 1, held: [permission.manageProject], frozen: undefined }
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  const server = fakeServer()
  server.on(getProjectMembers, () => [])
  server.on(getProjectMemberCandidates, () => [{ id: 5, LoginName: 'ada', FullName: 'Ada Ames' }])
  server.on(addProjectMember, () => ({ Success: 1, idProjectMember: 9, Added: 0 }))
  const { user } = show(
    <>
      <ProjectMemberListCard rights={rights} />
      <Toaster />
    </>,
  )
  const field = await screen.findByRole('combobox', { name: 'Add a person' })
  const add = screen.getByRole('button', { name: 'ADD MEMBER' })
  await user.click(add)
  await screen.findByText('Choose a person first')
  expect(document.activeElement).toBe(field)
  await user.type(field, 'ada{Enter}')
  await user.click(add)
  await screen.findByText('Ada Ames is a member already')
})
