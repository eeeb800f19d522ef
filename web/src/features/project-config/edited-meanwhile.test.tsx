import type { Call } from '@tessera/contract/call'
import { getLabelList, setLabel } from '@tessera/contract/projects/labels'
import {
  createNewState,
  getTicketFieldList,
  getTicketStateList,
  getTicketTemplate,
  setTicketField,
  setTicketState,
  setTicketTemplate,
} from '@tessera/contract/projects/project-config'
import { getProjectRoles, setProjectRole } from '@tessera/contract/projects/projects'
import { getViewList, setView } from '@tessera/contract/projects/views'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { signedIn } from '../../../test/people.ts'
import { show } from '../../../test/show.tsx'
import { enterSession } from '../../lib/session/session.tsx'
import { ViewsDialog } from '../tickets/list/saved-views/views-dialog.tsx'
import { TicketFieldDialog } from './fields/ticket-field-dialog.tsx'
import { TicketFieldListCard } from './fields/ticket-field-list-card.tsx'
import { LabelListCard } from './labels/label-list-card.tsx'
import { ProjectRoleListCard } from './roles/project-role-list-card.tsx'
import { TicketStateDialog } from './states/ticket-state-dialog.tsx'
import { TicketStateListCard } from './states/ticket-state-list-card.tsx'
import { TicketTemplateDialog } from './templates/ticket-template-dialog.tsx'

const rights = { idProject: 1, held: [1, 8, 9, 13], frozen: undefined }
const option = { value: 'High', label: 'High' }
const view = { idView: 4, Name: 'Old', Query: '', Columns: [], Sort: [], Group: '', Layout: 'list', Scope: 'private', Mine: 1, Default: 0 }
const cards = [
  {
    noun: 'label',
    card: <LabelListCard rights={rights} />,
    list: getLabelList,
    save: setLabel,
    box: 'Label',
    opened: { idLabel: 4, Label: 'Old', Color: '#112233', Scope: 'project', Tickets: 0 },
    theirs: { Color: '#445566' },
    sent: { idProject: 1, idLabel: 4, Label: 'Mine' },
  },
  {
    noun: 'state',
    card: <TicketStateListCard rights={rights} />,
    list: getTicketStateList,
    save: setTicketState,
    box: 'State name',
    opened: { id: 4, Description: 'Old', phase: 2 },
    theirs: { phase: 3 },
    sent: { idProject: 1, idState: 4, State: 'Mine' },
  },
  {
    noun: 'field',
    card: <TicketFieldListCard rights={rights} />,
    list: getTicketFieldList,
    save: setTicketField,
    box: 'Label',
    opened: { id: 4, Label: 'Old', Key: 'old', FieldType: 2, FieldProps: [option] },
    theirs: { FieldProps: [option, { value: 'Critical', label: 'Critical' }] },
    sent: { idProject: 1, idField: 4, Label: 'Mine' },
  },
  {
    noun: 'role',
    card: <ProjectRoleListCard rights={rights} />,
    list: getProjectRoles,
    save: setProjectRole,
    box: 'Role',
    opened: { id: 4, Description: 'Old', Assignments: 0 },
    theirs: { Assignments: 3 },
    sent: { idProject: 1, idRole: 4, Role: 'Mine' },
  },
  {
    noun: 'view',
    card: <ViewsDialog idProject={1} onClose={() => undefined} />,
    list: getViewList,
    save: setView,
    box: 'Name',
    opened: view,
    theirs: { Scope: 'project', Default: 1 },
    sent: { idProject: 1, idView: 4, Name: 'Mine' },
  },
] as const

async function openDialog({ noun, card, list, box, opened }: (typeof cards)[number]) {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  const server = fakeServer()
  const answer = (rows: readonly object[]) => server.on(list as Call as never, () => rows as never)
  answer([opened])
  const shown = show(card)
  const row = await screen.findByRole('button', { name: noun === 'view' ? 'Edit Old' : 'Old' })
  await shown.user.click(row)
  const input = await screen.findByRole('textbox', { name: box })
  const changeTo = async (rows: readonly object[]) => {
    const before = server.sentTo(list).length
    answer(rows)
    await shown.client.invalidateQueries()
    expect(server.sentTo(list).length).toBeGreaterThan(before)
  }
  const type = async () => {
    await shown.user.clear(input)
    await shown.user.type(input, 'Mine')
  }
  const save = screen.getByRole('button', { name: 'SAVE' })
  return { ...shown, server, input, save, type, changeTo }
}

test.each(cards)('what somebody else saves of a $noun while its dialog is open stays', async each => {
  const { server, user, save, type, changeTo } = await openDialog(each)
  await changeTo([{ ...each.opened, ...each.theirs }])
  expect(save).toHaveProperty('disabled', true)
  await type()
  await user.click(save)
  await waitFor(() => expect(server.sentTo(each.save).map(({ input }) => input)).toEqual([each.sent]))
})

test.each(cards)('the dialog of a $noun that is deleted stays with what was typed, and does not open again', async each => {
  const { server, user, input, save, type, changeTo } = await openDialog(each)
  await type()
  // Escape asks first.
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  await changeTo([])
  expect(input).toHaveProperty('value', 'Mine')
  server.on(each.save as Call as never, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  await user.click(save)
  await screen.findByText(
    `This ${each.noun} was deleted meanwhile, or you no longer have access. What you typed stays here until you close the dialog.`,
  )
  await user.click(screen.getByRole('button', { name: 'CANCEL' }))
  await changeTo([each.opened])
  expect(screen.queryByRole('textbox', { name: each.box })).toBeNull()
})

const checkThem = 'Their changes are here now, with yours: check them, then save again.'

test('options that two people change are merged before they are saved', async () => {
  const server = fakeServer()
  const [high, low] = [option, { value: 'Low', label: 'Low' }]
  const field = { id: 4, Label: 'Severity', Key: 'severity', FieldType: 2, FieldProps: [high, low] }
  const theirs = [{ ...high, label: 'Highest' }, low, { value: 'Critical', label: 'Critical' }]
  server.on(setTicketField, ({ FieldPropsBefore }) =>
    FieldPropsBefore?.length === 3
      ? { Success: 1 }
      : new Refusal(409, { error: 'Somebody else changed the options meanwhile', code: 'conflict', FieldProps: theirs }),
  )
  const { user } = show(<TicketFieldDialog idProject={1} field={field} onClose={() => undefined} />)
  await user.click(await screen.findByRole('button', { name: 'Remove Low' }))
  await user.click(screen.getByRole('button', { name: 'ADD OPTION' }))
  await user.keyboard('Minor')
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText(`Somebody else changed the options meanwhile. ${checkThem}`)
  const shown = screen.getAllByRole('textbox', { name: /^Option/ }).map(input => (input as HTMLInputElement).value)
  expect(shown).toEqual(['Highest', 'Critical', 'Minor'])
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  const FieldProps = [theirs[0], theirs[2], { value: 'Minor', label: 'Minor' }]
  await waitFor(() =>
    expect(server.sentTo(setTicketField).at(-1)?.input).toEqual({ idProject: 1, idField: 4, FieldProps, FieldPropsBefore: theirs }),
  )
})

test('only the changes of a template are sent, and its fields are merged with somebody else’s', async () => {
  const server = fakeServer()
  const fields = [5, 6, 7].map(id => ({ id, Label: `Field ${id}`, Key: `f${id}`, FieldType: 1, FieldProps: [] }))
  server.on(getTicketFieldList, () => fields)
  server.on(getTicketStateList, () => [{ id: 3, Description: 'Open', phase: 1 }])
  server.on(getTicketTemplate, () => ({ idTicketTemplate: 4, Label: 'Bug', idEntryState: 3, Fields: [5] }))
  server.on(setTicketTemplate, ({ FieldsBefore }) =>
    FieldsBefore?.length === 2
      ? { Success: 1 }
      : new Refusal(409, { error: 'Somebody else changed this template meanwhile', code: 'conflict', Fields: [5, 6], Defaults: {} }),
  )
  const { user, client } = show(<TicketTemplateDialog idProject={1} idTicketTemplate={4} onClose={() => undefined} />)
  await user.click(await screen.findByRole('button', { name: 'Put Field 7 into the form' }))
  // Escape asks before it drops the change.
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  server.on(getTicketTemplate, () => ({ idTicketTemplate: 4, Label: 'Defect', idEntryState: 3, Fields: [5, 6] }))
  await client.invalidateQueries()
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText(`Somebody else changed this template meanwhile. ${checkThem}`)
  screen.getByRole('button', { name: 'Remove Field 6 from the form' })
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await waitFor(() =>
    expect(server.sentTo(setTicketTemplate).map(({ input }) => input)).toEqual([
      { idProject: 1, idTicketTemplate: 4, Fields: [5, 7], FieldsBefore: [5] },
      { idProject: 1, idTicketTemplate: 4, Fields: [5, 6, 7], FieldsBefore: [5, 6] },
    ]),
  )
})

test('a state gets a limit for its column, loses it, and refuses input that is no number', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getTicketStateList, () => [{ id: 4, Description: 'Doing', phase: 2 as const, Limit: 5 }])
  server.on(setTicketState, () => ({ Success: 1 }))
  const { user } = show(<TicketStateListCard rights={rights} />)
  const change = async (text: string) => {
    await user.click(await screen.findByText('Doing'))
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Limit on the board' })
    expect(field.value).toBe('5')
    await user.clear(field)
    if (text) await user.type(field, text)
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
  }
  await change('many')
  expect(await screen.findByText('A number up to 99999, or nothing')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'CANCEL' }))
  await change('12')
  await waitFor(() => expect(server.sentTo(setTicketState)).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await change('')
  await waitFor(() => expect(server.sentTo(setTicketState)).toHaveLength(2))
  expect(server.sentTo(setTicketState).map(({ input }) => input)).toEqual([
    { idProject: 1, idState: 4, Limit: 12 },
    { idProject: 1, idState: 4, Limit: 0 },
  ])
})

test('a dialog for something new says that the project is gone, not what is not there yet', async () => {
  const server = fakeServer()
  server.on(createNewState, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  const { user } = show(<TicketStateDialog idProject={1} onClose={() => undefined} />)
  await user.type(screen.getByRole('textbox', { name: 'State name' }), 'Mine')
  await user.click(screen.getByRole('button', { name: 'ADD' }))
  await screen.findByText(
    'This project was deleted meanwhile, or you no longer have access. What you typed stays here until you close the dialog.',
  )
})
