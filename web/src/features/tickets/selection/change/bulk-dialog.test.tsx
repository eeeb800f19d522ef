import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketFieldList, getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { getProjectRoleList, getProjectUserList } from '@tessera/contract/tickets/assignees'
import { applyBulkChange, previewBulkChange } from '@tessera/contract/tickets/bulk'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../../lib/session/session.tsx'
import { BulkDialog } from './bulk-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const label = (idLabel: number) => ({ idLabel, Label: `label ${idLabel}`, Color: '#112233', Scope: 'project', Tickets: 1 }) as const

const selection = { ids: new Set([5, 6]), all: undefined, anchor: undefined, isOn: true }

/** Opens the dialog for two tickets and chooses what to change. */
async function chooseInDialog(part: string) {
  const dialog = (
    <BulkDialog idProject={3} pcode="ZOO" idTicket={5} selection={selection} count={2} task="change" onClose={() => undefined} />
  )
  const shown = await act(async () => show(dialog))
  await shown.user.click(await screen.findByRole('combobox', { name: 'What to change' }))
  await shown.user.click(await screen.findByRole('option', { name: part }))
  return shown
}

function serverOfEmptyProject() {
  const server = fakeServer()
  for (const call of [
    getProjectRoleList,
    getProjectUserList,
    getTicketFieldList,
    getTicketStateList,
    getTicketTemplateList,
    getLabelList,
  ] as const)
    server.on(call, () => [])
  return server
}

test('replacing all labels also removes those created after the form was opened; progress counts only tickets that change', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  let labels = [label(10), label(11)]
  server.on(getLabelList, () => labels)
  server.on(previewBulkChange, () => ({ idPreview: 1, Total: 2, Changed: 1, Same: 1, Refused: [], Rows: [], NextCursor: null }))
  const { user } = await chooseInDialog('Replace all labels with')
  await waitFor(() => expect(screen.getByRole('button', { name: 'PREVIEW' })).toHaveProperty('disabled', false))

  labels = [label(10), label(12)]
  server.on(getLabelList, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await user.click(screen.getByRole('button', { name: 'PREVIEW' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Busy')
  expect(server.sentTo(previewBulkChange)).toEqual([])

  server.on(getLabelList, () => labels)
  await user.click(screen.getByRole('button', { name: 'PREVIEW' }))
  await within(screen.getByRole('dialog')).findByText(/1 ticket changes/)
  expect(server.sentTo(previewBulkChange).map(({ input }) => input)).toEqual([
    {
      idProject: 3,
      Tickets: [5, 6],
      Change: {
        Labels: [
          { idLabel: 10, Enabled: 0 },
          { idLabel: 12, Enabled: 0 },
        ],
      },
    },
  ])
  // Of the selected tickets only those that change are counted, as in the progress.
  server.on(applyBulkChange, () => new Promise<never>(() => undefined))
  await user.click(screen.getByRole('button', { name: 'APPLY' }))
  await screen.findByText('Changing 1 ticket…')
})

test('labels that cannot be read are no reason not to preview another change', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  server.on(getLabelList, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  server.on(previewBulkChange, () => ({ idPreview: 1, Total: 2, Changed: 2, Same: 0, Refused: [], Rows: [], NextCursor: null }))
  const { user } = await chooseInDialog('Watch')
  await screen.findByText('Busy')
  await user.click(screen.getByRole('button', { name: 'PREVIEW' }))
  await screen.findByText('2 tickets change.')
})

test('all tickets that match are changed by the filters of their list; a change that was stopped does not count what would have gone along', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  const Titles = [{ id: 5, Title: 'The gate squeaks' }]
  const rows = [{ id: 5, Changes: [{ Field: 'Parent', Before: 'OPS-1', After: null }] }]
  server.on(previewBulkChange, () => ({
    ...{ idPreview: 1, Total: 9, Changed: 2, Along: 7, Same: 0, Refused: [], Rows: rows, Titles, NextCursor: null },
  }))
  server.on(applyBulkChange, () => ({ Changed: 1, Same: 0, Refused: [], Skipped: [], idChangeSet: 4, Stopped: 1 }) as never)
  const all = { matching: { Query: 'is:open', Zone: 'Asia/Tokyo', Types: [3] }, total: 9 }
  const selection = { ids: new Set<number>(), all, anchor: undefined, isOn: true }
  const { user } = await act(async () =>
    show(
      <>
        <BulkDialog idProject={3} pcode="ZOO" idTicket={5} selection={selection} count={9} task="trash" onClose={() => undefined} />
        <Toaster />
      </>,
    ),
  )
  expect((await screen.findByText('Parent:')).nextSibling?.textContent).toBe('OPS-1 → none')
  expect(screen.getByText('ZOO-5').parentElement?.textContent).toBe('ZOO-5The gate squeaks')
  expect(server.sentTo(previewBulkChange).map(({ input }) => input)).toEqual([
    { idProject: 3, Filter: { Types: [3] }, Query: 'is:open', Zone: 'Asia/Tokyo', Change: { Trash: 1 } },
  ])
  await user.click(screen.getByRole('button', { name: 'APPLY' }))
  await screen.findByText(/^1 ticket changed/)
})

test('the field of a part that was just chosen has the focus, and the list of parts once a part is taken out', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  serverOfEmptyProject()
  const { user } = await chooseInDialog('Watch')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Watch' })))
  await user.click(screen.getByRole('button', { name: 'Leave Watch as it is' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'What to change' })))
})

test('by keyboard alone people are assigned: a name, Enter, Enter for the preview, Enter to apply', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  server.on(getProjectRoleList, () => [
    { id: 1, text: 'Responsible' },
    { id: 2, text: 'Assignee' },
  ])
  server.on(getProjectUserList, () => [{ id: 8, text: 'Ada Novak' }])
  server.on(previewBulkChange, () => ({ idPreview: 1, Total: 2, Changed: 2, Same: 0, Refused: [], Rows: [], NextCursor: null }))
  server.on(applyBulkChange, () => new Promise<never>(() => undefined))
  const { user } = await act(async () =>
    show(<BulkDialog idProject={3} pcode="ZOO" idTicket={5} selection={selection} count={2} task="people" onClose={() => undefined} />),
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'People' })))
  await user.keyboard('ada{Enter}{Escape}{Enter}')
  const apply = await screen.findByRole('button', { name: 'APPLY' })
  await waitFor(() => expect(document.activeElement).toBe(apply))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(server.sentTo(applyBulkChange)).toHaveLength(1))
  expect(server.sentTo(previewBulkChange).map(({ input }) => input)).toEqual([
    { idProject: 3, Tickets: [5, 6], Change: { TicketAssign: [{ idUser: 8, idRole: 2, Enabled: 1 }] } },
  ])
})

test('what was entered for one field or role stays when another one is added', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  server.on(
    getTicketFieldList,
    () => ['Size', 'Mood'].map((Label, id) => ({ id, Label, Key: Label, FieldType: 1, FieldProps: [] })) as never,
  )
  server.on(getProjectRoleList, () => [
    { id: 1, text: 'Responsible' },
    { id: 2, text: 'Tester' },
  ])
  server.on(getProjectUserList, () => [{ id: 8, text: 'Ada Novak' }])
  server.on(previewBulkChange, () => ({ idPreview: 1, Total: 2, Changed: 2, Same: 0, Refused: [], Rows: [], NextCursor: null }))
  const { user } = await chooseInDialog('Size')
  const add = async (part: string) => {
    await user.click(screen.getByRole('combobox', { name: 'What else to change' }))
    await user.click(await screen.findByRole('option', { name: part }))
  }
  await user.type(screen.getByRole('textbox', { name: 'Size' }), 'L')
  // Escape asks before it drops what was typed.
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  await add('Mood')
  await user.type(screen.getByRole('textbox', { name: 'Mood' }), 'good')
  for (const role of ['Responsible', 'Tester']) {
    await add(role)
    await user.keyboard('ada{Enter}{Escape}')
  }
  await user.click(screen.getByRole('button', { name: 'PREVIEW' }))
  await screen.findByText('2 tickets change.')
  const TicketAssign = [1, 2].map(idRole => ({ idUser: 8, idRole, Enabled: 1 }))
  expect(server.sentTo(previewBulkChange).map(({ input }) => input)).toEqual([
    { idProject: 3, Tickets: [5, 6], Change: { data: { Size: 'L', Mood: 'good' }, TicketAssign } },
  ])
})

const types = ['Bug', 'Task'].map((Description, index) => ({ idTicketTemplate: index + 1, Description }))

test('where no ticket would change, Enter leads back to the choice', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  server.on(getTicketTemplateList, () => types)
  server.on(previewBulkChange, () => ({ idPreview: 1, Total: 2, Changed: 0, Same: 2, Refused: [], Rows: [], NextCursor: null }))
  const { user } = await chooseInDialog('Type')
  await user.click(screen.getByRole('combobox', { name: 'Type' }))
  await user.click(await screen.findByRole('option', { name: 'Task' }))
  await user.click(screen.getByRole('button', { name: 'PREVIEW' }))
  const back = await screen.findByRole('button', { name: 'BACK' })
  await waitFor(() => expect(document.activeElement).toBe(back))
  await user.keyboard('{Enter}')
  await screen.findByRole('combobox', { name: 'Type' })
})

test('the type is offered where the project has another one; BACK takes the refusal of APPLY away', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  server.on(getTicketTemplateList, () => types)
  server.on(previewBulkChange, () => ({ idPreview: 1, Total: 2, Changed: 2, Same: 0, Refused: [], Rows: [], NextCursor: null }))
  const { user } = await chooseInDialog('Type')
  expect(screen.getByRole('button', { name: 'PREVIEW' })).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('combobox', { name: 'Type' }))
  await user.click(await screen.findByRole('option', { name: 'Task' }))
  await user.click(screen.getByRole('button', { name: 'PREVIEW' }))
  const sent = [{ idProject: 3, Tickets: [5, 6], Change: { idTemplate: 2 } }]
  await waitFor(() => expect(server.sentTo(previewBulkChange).map(({ input }) => input)).toEqual(sent))
  server.on(applyBulkChange, () => new Refusal(503, { error: 'Busy', code: 'unavailable' }))
  await user.click(await screen.findByRole('button', { name: 'APPLY' }))
  await screen.findByText('Busy')
  await user.click(screen.getByRole('button', { name: 'BACK' }))
  expect(screen.queryByText('Busy')).toBeNull()

  cleanup()
  server.on(getTicketTemplateList, () => types.slice(1))
  const again = await chooseInDialog('Watch')
  await again.user.click(screen.getByRole('combobox', { name: 'What else to change' }))
  await screen.findByRole('option', { name: 'Parent' })
  expect(screen.queryByRole('option', { name: 'Type' })).toBeNull()
})

test('roles that cannot be read are said to be missing, are not asked for again and again, and come on request', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  let asked = 0
  // An answer to the tenth question ends a loop.
  server.on(getProjectRoleList, () => (++asked < 10 ? new Refusal(404, { error: 'Not found', code: 'not_found' }) : []))
  const { user } = await act(async () =>
    show(<BulkDialog idProject={3} pcode="ZOO" idTicket={5} selection={selection} count={2} task="people" onClose={() => undefined} />),
  )
  await screen.findByText('Not found')
  // Once by the dialog and at most once by the form in it.
  expect(asked).toBeLessThanOrEqual(2)
  server.on(getProjectRoleList, () => [{ id: 2, text: 'Assignee' }])
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await screen.findByRole('combobox', { name: 'People' })
})

test('a role is not replaced before it is known who may hold it', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  server.on(getProjectRoleList, () => [{ id: 2, text: 'Assignee' }])
  const users = Promise.withResolvers<{ id: number; text: string }[]>()
  server.on(getProjectUserList, () => users.promise)
  const { user } = await act(async () =>
    show(<BulkDialog idProject={3} pcode="ZOO" idTicket={5} selection={selection} count={2} task="people" onClose={() => undefined} />),
  )
  await user.click(await screen.findByRole('combobox', { name: 'Assignee' }))
  await user.click(screen.getByRole('option', { name: 'Replace with' }))
  const preview = screen.getByRole<HTMLButtonElement>('button', { name: 'PREVIEW' })
  expect(preview.disabled).toBe(true)
  users.resolve([{ id: 8, text: 'Ada Novak' }])
  await waitFor(() => expect(preview.disabled).toBe(false))
})

test('a preview without access to the project anymore says so', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  server.on(previewBulkChange, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  show(<BulkDialog idProject={3} pcode="ZOO" idTicket={5} selection={selection} count={2} task="trash" onClose={() => undefined} />)
  await screen.findByText('You cannot see this project anymore, or something that you chose was deleted meanwhile.')
})

test('tickets that are refused or skipped are listed with their titles', async () => {
  enterSession(signedIn({ super: 1, orgperms: ['Organisation Admin'] }))
  const server = serverOfEmptyProject()
  const Titles = [{ id: 5, Title: 'The gate squeaks' }]
  const Refused = [{ Reason: 'This ticket is in the trash', Tickets: [5] }]
  server.on(previewBulkChange, () => ({ idPreview: 1, Total: 2, Changed: 1, Same: 0, Refused, Rows: [], Titles, NextCursor: null }))
  const Skipped = [5, 6].map(id => ({ id, Reason: 'It was changed since the preview' }))
  server.on(applyBulkChange, () => ({ Success: 1, idChangeSet: null, Changed: 0, Skipped, Titles }))
  const { user } = show(
    <BulkDialog idProject={3} pcode="ZOO" idTicket={5} selection={selection} count={2} task="trash" onClose={() => undefined} />,
  )
  const linesOf = async (name: string) =>
    within(await screen.findByRole('list', { name }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(await linesOf('This ticket is in the trash')).toEqual(['ZOO-5The gate squeaks'])
  // A title from right to left stays apart from what is beside it.
  expect(screen.getByText('The gate squeaks').tagName).toBe('BDI')
  await user.click(screen.getByRole('button', { name: 'APPLY' }))
  expect(await linesOf('It was changed since the preview')).toEqual(['ZOO-5The gate squeaks', 'ZOO-6'])
})
