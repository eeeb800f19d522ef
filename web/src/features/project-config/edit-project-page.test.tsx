import type { Call } from '@tessera/contract/call'
import { getLabelList } from '@tessera/contract/projects/labels'
import {
  getTicketFieldList,
  getTicketPropertyTypeList,
  getTicketStateList,
  getTicketTemplateList,
} from '@tessera/contract/projects/project-config'
import { getProjectData, getProjectMembers, getProjectRoles } from '@tessera/contract/projects/projects'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { showPages } from '../../../test/show.tsx'
import { enterSession } from '../../lib/session/session.tsx'
import { EditProjectPage } from './edit-project-page.tsx'

test('a project that the person may no longer see is left, but not while something is typed', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  for (const call of [getTicketFieldList, getTicketPropertyTypeList, getTicketStateList, getTicketTemplateList])
    server.on(call as Call as never, () => [] as never)
  for (const call of [getProjectRoles, getLabelList, getProjectMembers]) server.on(call as Call as never, () => [] as never)
  const project = { idProject: 1, Title: 'Rider App', ShortCode: 'RIDE', Archived: 0, BlockersHold: 0, DueField: '', Permissions: [1, 9] }
  server.on(getProjectData, () => project as never)
  const { user, client } = showPages([{ path: '/edit-project/:id', Component: EditProjectPage }], '/edit-project/1')
  await user.click(await screen.findByRole('button', { name: 'NEW STATE' }))
  await user.type(await screen.findByRole('textbox', { name: 'State name' }), 'Waiting')
  server.on(getProjectData, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  await act(() => client.invalidateQueries())
  expect(screen.getByRole('textbox', { name: 'State name' })).toHaveProperty('value', 'Waiting')
  await user.click(screen.getByRole('button', { name: 'CANCEL' }))
  await act(() => client.invalidateQueries())
  await screen.findByText('There is no such project')
  screen.getByText('It was deleted meanwhile, or you no longer have access.')
})
