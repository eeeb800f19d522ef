import type { Call } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getLabelList } from '@tessera/contract/projects/labels'
import {
  getTicketFieldList,
  getTicketPropertyTypeList,
  getTicketStateList,
  getTicketTemplateList,
} from '@tessera/contract/projects/project-config'
import { getProjectData, getProjectMembers, getProjectRoles, setProjectData } from '@tessera/contract/projects/projects'
import { act, cleanup, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { showPages } from '../../../test/show.tsx'
import { Toaster } from '../../components/toaster/toaster.tsx'
import { enterSession } from '../../lib/session/session.tsx'
import { EditProjectPage } from './edit-project-page.tsx'

function showPage(project: object = {}) {
  enterSession(signedIn())
  const server = fakeServer()
  for (const call of [getTicketFieldList, getTicketPropertyTypeList, getTicketStateList, getTicketTemplateList])
    server.on(call as Call as never, () => [] as never)
  for (const call of [getProjectRoles, getLabelList, getProjectMembers]) server.on(call as Call as never, () => [] as never)
  const plain = { idProject: 1, Title: 'Rider App', ShortCode: 'RIDE', Archived: 0, BlockersHold: 0, DueField: '', Permissions: [1, 9] }
  server.on(getProjectData, () => ({ ...plain, ...project }) as never)
  const Component = () => (
    <>
      <EditProjectPage />
      <Toaster />
    </>
  )
  return { server, ...showPages([{ path: '/edit-project/:id', Component }], '/edit-project/1') }
}

test('a project that the person may no longer see is left, but not while something is typed', async () => {
  const { server, user, client } = showPage()
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

test('settings that are not saved say why, a code that is taken until it is changed; so does a project that is not restored', async () => {
  const { server, user } = showPage({ Permissions: [1, permission.manageProject] })
  server.on(setProjectData, () => new Refusal(422, { error: 'RIDER is taken', code: 'duplicate' }))
  const code = await screen.findByRole('textbox', { name: 'ShortCode' })
  await user.type(code, 'R')
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText(messages.saveFailed)
  const problem = () => document.getElementById(code.getAttribute('aria-describedby') ?? '')?.textContent
  expect(problem()).toBe('RIDER is taken')
  await user.type(code, 'S')
  expect(problem()).toBeUndefined()

  cleanup()
  const archived = showPage({ Permissions: [1, permission.manageProject], Archived: 1 })
  archived.server.on(setProjectData, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await archived.user.click(await screen.findByRole('button', { name: 'RESTORE PROJECT' }))
  await screen.findByText('Busy')
})
