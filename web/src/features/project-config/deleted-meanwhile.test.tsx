import type { Call } from '@tessera/contract/call'
import { deleteLabels, getLabelList } from '@tessera/contract/projects/labels'
import {
  deleteTicketFields,
  deleteTicketStates,
  deleteTicketTemplates,
  getTicketFieldList,
  getTicketFieldUsage,
  getTicketStateList,
  getTicketStateUsage,
  getTicketTemplateList,
  getTicketTemplateUsage,
} from '@tessera/contract/projects/project-config'
import { deleteProjectRoles, getProjectMembers, getProjectRoles, removeProjectMember } from '@tessera/contract/projects/projects'
import { deleteViews, getViewList } from '@tessera/contract/projects/views'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { show } from '../../../test/show.tsx'
import { Toaster } from '../../components/toaster/toaster.tsx'
import { enterSession } from '../../lib/session/session.tsx'
import { ViewsDialog } from '../tickets/list/saved-views/views-dialog.tsx'
import { TicketFieldListCard } from './fields/ticket-field-list-card.tsx'
import { LabelListCard } from './labels/label-list-card.tsx'
import { ProjectMemberListCard } from './members/project-member-list-card.tsx'
import { ProjectRoleListCard } from './roles/project-role-list-card.tsx'
import { TicketStateListCard } from './states/ticket-state-list-card.tsx'
import { TicketTemplateListCard } from './templates/ticket-template-list-card.tsx'

const rights = { idProject: 1, held: [1, 8, 9, 10, 13], frozen: undefined }
const label = (idLabel: number, Label: string) => ({ idLabel, Label, Color: '#112233', Scope: 'project', Tickets: 0 })
const labels = [label(4, 'Old'), label(5, 'Older'), label(6, 'Other')]
const gone = new Refusal(404, { error: 'Not found', code: 'not_found' })
const on = (server: ReturnType<typeof fakeServer>, call: Call, answer: unknown) => server.on(call as never, () => answer as never)

const cards = [
  {
    noun: 'field',
    card: <TicketFieldListCard rights={rights} />,
    list: getTicketFieldList,
    remove: deleteTicketFields,
    usage: getTicketFieldUsage,
    rows: [
      { id: 4, Label: 'Old', Key: 'old', FieldType: 1, FieldProps: [] },
      { id: 5, Label: 'Other', Key: 'other', FieldType: 1, FieldProps: [] },
    ],
  },
  {
    noun: 'state',
    card: <TicketStateListCard rights={rights} />,
    list: getTicketStateList,
    remove: deleteTicketStates,
    usage: getTicketStateUsage,
    rows: [
      { id: 4, Description: 'Old', phase: 1 },
      { id: 5, Description: 'Other', phase: 1 },
    ],
  },
  {
    noun: 'template',
    card: <TicketTemplateListCard rights={rights} />,
    list: getTicketTemplateList,
    remove: deleteTicketTemplates,
    usage: getTicketTemplateUsage,
    rows: [
      { idTicketTemplate: 4, Description: 'Old' },
      { idTicketTemplate: 5, Description: 'Other' },
    ],
  },
  {
    noun: 'role',
    card: <ProjectRoleListCard rights={rights} />,
    list: getProjectRoles,
    remove: deleteProjectRoles,
    rows: [
      { id: 4, Description: 'Old', Assignments: 0 },
      { id: 5, Description: 'Other', Assignments: 0 },
    ],
  },
  { noun: 'label', card: <LabelListCard rights={rights} />, list: getLabelList, remove: deleteLabels, rows: [labels[0], labels[2]] },
] as const

test.each(cards)('the question whether to delete a $noun stays as it was asked when somebody else deletes it', async each => {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  const server = fakeServer()
  on(server, getTicketStateList, [])
  on(server, each.list, each.rows)
  if ('usage' in each) on(server, each.usage, [{ id: 4, Tickets: 0, Templates: each.noun === 'state' ? [] : 0 }])
  on(server, each.remove, gone)
  const { user, client } = show(
    <>
      <Toaster />
      {each.card}
    </>,
  )
  await user.click(await screen.findByRole('checkbox', { name: 'Select Old' }))
  await user.click(screen.getByRole('button', { name: `Delete selected ${each.noun}s` }))
  const question = await screen.findByRole('alertdialog', { name: `Delete 1 ${each.noun}?` })
  await waitFor(() => expect(question.textContent).toContain('Old'))
  on(server, each.list, each.rows.slice(1))
  if ('usage' in each) on(server, each.usage, gone)
  await act(() => client.invalidateQueries())
  expect(screen.queryByRole('checkbox', { name: 'Select Old' })).toBeNull()
  expect(screen.getByRole('alertdialog', { name: `Delete 1 ${each.noun}?` }).textContent).toContain('Old')
  await user.click(screen.getByRole('button', { name: 'DELETE' }))
  await screen.findByText(`The ${each.noun} was deleted meanwhile`)
  expect(server.sentTo(each.remove).map(({ input }) => input)).toEqual([{ idProject: 1, ids: [4] }])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('labels of which somebody else deletes one are not merged, and the page says so', async () => {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  const server = fakeServer()
  on(server, getLabelList, labels)
  on(server, deleteLabels, gone)
  const { user, client } = show(
    <>
      <Toaster />
      <LabelListCard rights={rights} />
    </>,
  )
  for (const name of ['Select Old', 'Select Older']) await user.click(await screen.findByRole('checkbox', { name }))
  await user.click(screen.getByRole('button', { name: 'MERGE 2 LABELS' }))
  await screen.findByRole('dialog', { name: 'Merge 2 labels' })
  on(server, getLabelList, [labels[0], labels[2]])
  await act(() => client.invalidateQueries())
  screen.getByText('Tickets with Older will carry Old instead.')
  await user.click(screen.getByRole('button', { name: 'MERGE' }))
  await screen.findByText('Some labels were deleted meanwhile: choose again')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the question whether to remove a member stays when somebody else removes them', async () => {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  const server = fakeServer()
  const member = (idProjectMember: number, Login: string) => ({
    idProjectMember,
    idUser: idProjectMember,
    Login,
    FullName: '',
    Permissions: [],
  })
  on(server, getProjectMembers, [member(4, 'ada'), member(5, 'ben')])
  on(server, removeProjectMember, gone)
  const { user, client } = show(
    <>
      <Toaster />
      <ProjectMemberListCard rights={rights} />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'Remove ada from the project' }))
  on(server, getProjectMembers, [member(5, 'ben')])
  await act(() => client.invalidateQueries())
  screen.getByRole('alertdialog', { name: 'Remove ada from the project?' })
  await user.click(screen.getByRole('button', { name: 'REMOVE' }))
  await screen.findByText('ada is no longer a member')
})

test('the question whether to delete a view stays when somebody else deletes it, and is not asked again', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const view = {
    idView: 4,
    Name: 'Old',
    Query: '',
    Columns: [],
    Sort: [],
    Group: '',
    Layout: 'list',
    Scope: 'private',
    Mine: 1,
    Default: 0,
  }
  on(server, getViewList, [view])
  on(server, deleteViews, gone)
  const { user, client } = show(
    <>
      <Toaster />
      <ViewsDialog idProject={1} onClose={() => undefined} />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'Delete Old' }))
  on(server, getViewList, [])
  await act(() => client.invalidateQueries())
  screen.getByRole('alertdialog', { name: 'Delete the view Old?' })
  await user.click(screen.getByRole('button', { name: 'DELETE' }))
  await screen.findByText('Not found')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(server.sentTo(deleteViews).map(({ input }) => input)).toEqual([{ idProject: 1, ids: [4] }])
})
