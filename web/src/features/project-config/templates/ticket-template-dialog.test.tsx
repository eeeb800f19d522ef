import { getLabelList } from '@tessera/contract/projects/labels'
import {
  createNewTemplate,
  getTicketFieldList,
  getTicketStateList,
  getTicketTemplate,
  getTicketTemplateList,
  propertyType,
} from '@tessera/contract/projects/project-config'
import { getProjectMembers } from '@tessera/contract/projects/projects'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { TicketTemplateDialog } from './ticket-template-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the titles of a template have as many characters as the server takes, and say so when there are more', async () => {
  const server = fakeServer()
  server.on(getTicketFieldList, () => [])
  server.on(getLabelList, () => [])
  server.on(getTicketStateList, () => [{ id: 3, Description: 'Open', phase: 1 }])
  server.on(getTicketTemplateList, () => [{ idTicketTemplate: 4, Description: 'Bug' }])
  const Defaults = { Title: 'a', Children: [{ idTemplate: 4, Title: 'b' }] }
  server.on(getTicketTemplate, () => ({ idTicketTemplate: 4, Label: 'Bug', idEntryState: 3, Fields: [], Defaults }))
  const { user } = show(<TicketTemplateDialog idProject={1} idTicketTemplate={4} onClose={() => undefined} />)
  for (const name of ['Title of a new ticket', 'Title of child 1']) {
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name }, { timeout: 20_000 })
    const save = screen.getByRole('button', { name: 'SAVE' })
    const fill = async (count: number) => {
      await user.clear(field)
      await user.paste('😀'.repeat(count))
      expect(field.value).toBe('😀'.repeat(count))
    }
    await fill(501)
    screen.getByText('At most 500 characters, 501 now')
    expect(save).toHaveProperty('disabled', true)
    await fill(500)
    expect(save).toHaveProperty('disabled', false)
  }
})

test('a new template says whether something that it names was deleted or its project', async () => {
  const server = fakeServer()
  server.on(getTicketFieldList, () => [])
  server.on(getTicketStateList, () => [{ id: 3, Description: 'Open', phase: 1 }])
  const { user } = show(<TicketTemplateDialog idProject={1} onClose={() => undefined} />)
  await user.type(await screen.findByRole('textbox', { name: 'Ticket Type' }), 'Bug')
  for (const [fields, message] of [
    [[{ path: 'idEntryState', message: 'does not exist' }], /^Something that is chosen here was deleted meanwhile/],
    [[], /^This project was deleted meanwhile/],
  ] as const) {
    server.on(createNewTemplate, () => new Refusal(404, { error: 'Not found', code: 'not_found', fields }))
    await user.click(screen.getByRole('button', { name: 'ADD' }))
    await screen.findByText(message)
  }
})

test('a person who is chosen by a template is not called a former member because the members could not be loaded', async () => {
  const server = fakeServer()
  server.on(getTicketFieldList, () => [{ id: 5, Key: 'owner', Label: 'Owner', FieldType: propertyType.USER }] as never)
  server.on(getLabelList, () => [])
  server.on(getTicketStateList, () => [{ id: 3, Description: 'Open', phase: 1 }])
  server.on(getTicketTemplateList, () => [{ idTicketTemplate: 4, Description: 'Bug' }])
  server.on(getProjectMembers, () => new Refusal(500, { error: 'The members are away', code: 'defect' }))
  const Defaults = { data: { owner: '7' } }
  server.on(getTicketTemplate, () => ({ idTicketTemplate: 4, Label: 'Bug', idEntryState: 3, Fields: [5], Defaults }) as never)
  const { user } = show(<TicketTemplateDialog idProject={1} idTicketTemplate={4} onClose={() => undefined} />)
  await screen.findByText('The members are away')
  expect(screen.queryByDisplayValue(/Former member/)).toBeNull()
  server.on(getProjectMembers, () => [{ idUser: 7, FullName: 'Dana Kim', Login: 'dana' }] as never)
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await screen.findByDisplayValue('Dana Kim')
})
