import { permission } from '@tessera/contract/permissions'
import { getProjectRoleList, getProjectUserList, getProjectUserroleList, getTicketRolelist } from '@tessera/contract/tickets/assignees'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { plainTicket } from '../../../../../test/ticket.ts'
import { enterSession } from '../../../../lib/session/session.tsx'
import type { Ticket } from '../../ticket.ts'
import { useTicketDraft } from '../use-ticket-draft.ts'
import { Assignees } from './assignees.tsx'

afterEach(cleanup)

let draft: ReturnType<typeof useTicketDraft>
function Shown({ ticket }: { ticket: Ticket }) {
  draft = useTicketDraft(ticket)
  return <Assignees ticket={ticket} draft={draft} blocked={undefined} />
}

test('a person is shown once with all roles, and two people of one name are shown as two', async () => {
  enterSession(signedIn())
  fakeServer()
  const held = [
    { idUser: 7, idRole: 1, Name: 'Kim Lee', Role: 'Responsible' },
    { idUser: 8, idRole: 1, Name: 'Kim Lee', Role: 'Responsible' },
    { idUser: 7, idRole: 3, Name: 'Kim Lee', Role: 'Reviewer' },
  ]
  show(<Shown ticket={{ ...plainTicket, Assignees: held }} />)
  await screen.findByText('Kim Lee (Responsible, Reviewer)')
  screen.getByText('Kim Lee (Responsible)')
})

/** ASSIGN ME was pressed and waits for the server, the dialog is open. */
async function waiting() {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getProjectRoleList, () => [{ id: 2, text: 'Assignee' }])
  server.on(getProjectUserList, () => [
    { id: 7, text: 'Dana Kim' },
    { id: 8, text: 'Ada Novak' },
  ])
  server.on(getProjectUserroleList, () => [])
  const slow = Promise.withResolvers<void>()
  let isFirst = true
  server.on(getTicketRolelist, async ({ Assignees = [] }) => {
    if (isFirst) {
      isFirst = false
      await slow.promise
    }
    return Assignees.map(pair => ({ ...pair, Name: 'Somebody', Role: 'Assignee' }))
  })
  const { user, client } = show(<Shown ticket={{ ...plainTicket, Permissions: [permission.assignPeople] }} />)
  await user.click(await screen.findByRole('button', { name: 'ASSIGN ME' }))
  await user.click(screen.getByRole('button', { name: 'Edit assignees' }))
  const tick = async (name: string) => user.click(await screen.findByRole('checkbox', { name: `${name}: Assignee` }))
  const ok = () => user.click(screen.getByRole('button', { name: 'OK' }))
  const answer = async () => {
    slow.resolve()
    await waitFor(() => expect(client.isFetching()).toBe(0))
    await act(() => new Promise(resolve => setTimeout(resolve)))
  }
  return { tick, ok, answer }
}
const chosen = (idUser: number) => ({ idUser, idRole: 2, Enabled: 1 })

test.each([
  { what: 'somebody else', name: 'Ada Novak', first: [8], last: [8, 7] },
  { what: 'the person', name: 'Dana Kim', first: [7], last: [7] },
])('$what whom the dialog adds while ASSIGN ME is on its way stays chosen', async ({ name, first, last }) => {
  const { tick, ok, answer } = await waiting()
  await tick(name)
  await ok()
  expect(draft.changed.TicketAssign).toEqual(first.map(chosen))
  await answer()
  expect(draft.changed.TicketAssign).toEqual(last.map(chosen))
})

test('the dialog takes over what ASSIGN ME has chosen while it is open', async () => {
  const { tick, ok, answer } = await waiting()
  await tick('Ada Novak')
  await answer()
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Dana Kim: Assignee' }).checked).toBe(true)
  await ok()
  expect(draft.changed.TicketAssign).toEqual([8, 7].map(chosen))
})
