import { useQuery } from '@tanstack/react-query'
import type { Call } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import { getLabelList } from '@tessera/contract/projects/labels'
import {
  getPermissionTypes,
  getTicketFieldList,
  getTicketPropertyTypeList,
  getTicketStateList,
  getUserPermissions,
} from '@tessera/contract/projects/project-config'
import { getProjectMemberCandidates, getProjectMembers } from '@tessera/contract/projects/projects'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { show } from '../../../test/show.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { enterSession } from '../../lib/session/session.tsx'
import { TicketFieldListCard } from './fields/ticket-field-list-card.tsx'
import { LabelListCard } from './labels/label-list-card.tsx'
import { ProjectMemberListCard } from './members/project-member-list-card.tsx'
import { UserPermissionsCard } from './permissions/user-permissions-card.tsx'
import { TicketStateListCard } from './states/ticket-state-list-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const rights = {
  idProject: 1,
  held: [permission.manageProject, permission.manageFields, permission.manageStates, permission.managePermissions],
  frozen: undefined,
}
const away = () => new Refusal(503, { error: 'The database is away', code: 'unavailable' })
const label = { idLabel: 4, Label: 'Bug', Color: '#112233', Scope: 'project' as const, Tickets: 0 }
const field = { id: 4, Label: 'Bug', Key: 'bug', FieldType: 1, FieldProps: [] }
const state = { id: 4, Description: 'Bug', phase: 1 as const }
const member = { id: 4, Login: 'Bug', Permissions: [] }

function begin() {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  return fakeServer()
}

/** Says when the card knows of the failure. */
function Problem({
  call,
}: {
  call: typeof getLabelList | typeof getTicketFieldList | typeof getTicketStateList | typeof getUserPermissions
}) {
  return useQuery(callQuery(call as typeof getLabelList, { idProject: 1 })).error?.message
}

test.each([
  [getLabelList, [label], <LabelListCard key="" rights={rights} />],
  [getTicketFieldList, [field], <TicketFieldListCard key="" rights={rights} />],
  [getTicketStateList, [state], <TicketStateListCard key="" rights={rights} />],
  [getUserPermissions, [member], <UserPermissionsCard key="" rights={rights} />],
])('a card keeps its rows when they cannot be read again', async (call, rows, card) => {
  const server = begin()
  server.on(getPermissionTypes, () => [])
  server.on(call as Call as never, () => rows as never)
  const { client } = show(
    <>
      {card}
      <Problem call={call} />
    </>,
  )
  await screen.findByRole('rowheader', { name: /Bug/ })
  server.on(call as Call as never, () => away() as never)
  void client.invalidateQueries()
  await screen.findByText('The database is away')
  screen.getByRole('rowheader', { name: /Bug/ })
})

test.each([
  [getTicketPropertyTypeList, TicketFieldListCard],
  [getPermissionTypes, UserPermissionsCard],
])('a card says what it could not read beside its rows, and tries again', async (call, Card) => {
  const server = begin()
  server.on(getTicketFieldList, () => [field])
  server.on(getUserPermissions, () => [member])
  server.on(call, away)
  const { user } = show(<Card rights={rights} />)
  await screen.findByText('The database is away')
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await waitFor(() => expect(server.sentTo(call)).toHaveLength(2))
})

test('archived fields that cannot be read are not left out without a word', async () => {
  const server = begin()
  server.on(getTicketFieldList, ({ Archived }) => (Archived ? away() : []))
  const { user } = show(<TicketFieldListCard rights={rights} />)
  await screen.findByText('There are no fields yet')
  server.on(getTicketFieldList, ({ Archived }) => (Archived ? [field] : []))
  await user.click(await screen.findByRole('button', { name: 'TRY AGAIN' }))
  await screen.findByRole('button', { name: 'ARCHIVED (1)' })
})

test('that everybody is a member is said only once the candidates have loaded', async () => {
  const server = begin()
  const candidates = Promise.withResolvers<Refusal>()
  server.on(getProjectMembers, () => [])
  server.on(getProjectMemberCandidates, () => candidates.promise)
  const { user } = show(<ProjectMemberListCard rights={rights} />)
  await user.click(await screen.findByRole('combobox', { name: 'Add a person' }))
  screen.getByText('Loading…')
  await act(async () => candidates.resolve(away()))
  await screen.findByText('The people you can add could not be loaded')
  expect(screen.queryByText('Everybody in this organization is a member')).toBeNull()
  server.on(getProjectMemberCandidates, () => [])
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await user.click(screen.getByRole('combobox', { name: 'Add a person' }))
  await screen.findByText('Everybody in this organization is a member')
  expect(screen.queryByRole('button', { name: 'TRY AGAIN' })).toBeNull()
})
