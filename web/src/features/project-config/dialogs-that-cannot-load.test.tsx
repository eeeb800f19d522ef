import {
  getPropertytypeList,
  getStateTransitions,
  getTicketFieldList,
  getTicketFieldUsage,
  getTicketStateList,
  getTicketStateUsage,
  getTicketTemplateList,
} from '@tessera/contract/projects/project-config'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { show } from '../../../test/show.tsx'
import { DeleteFieldsDialog } from './fields/delete-fields-dialog.tsx'
import { TicketFieldDialog } from './fields/ticket-field-dialog.tsx'
import { DeleteStatesDialog } from './states/delete-states-dialog.tsx'
import { TicketTemplateDialog } from './templates/ticket-template-dialog.tsx'
import { WorkflowDialog } from './workflow/workflow-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const shared = { idProject: 1, onClose: () => undefined }
const state = { id: 4, Description: 'Open', phase: 1 as const }
const onRestore = async () => ''
test.each([
  ['New Ticket Template', [getTicketStateList, getTicketFieldList], <TicketTemplateDialog key="" {...shared} />],
  ['New Ticket Field', [getPropertytypeList], <TicketFieldDialog key="" {...shared} />],
  [
    'Flow Diagram',
    [getStateTransitions, getTicketTemplateList],
    <WorkflowDialog key="" {...shared} states={[state]} refusal={undefined} />,
  ],
  [
    'Delete fields',
    [getTicketFieldUsage],
    <DeleteFieldsDialog key="" {...shared} fields={[{ id: 3, Label: 'Note' }]} onRestore={onRestore} />,
  ],
  ['Delete states', [getTicketStateUsage], <DeleteStatesDialog key="" {...shared} states={[state]} ids={[4]} onRestore={onRestore} />],
])('%s says in the dialog that it could not load, and tries again', async (_name, calls, dialog) => {
  const server = fakeServer()
  for (const call of calls) server.on(call, () => new Refusal(503, { error: 'The database is away', code: 'unavailable' }))
  const { user } = show(dialog)
  await screen.findByText('The database is away')
  for (const call of calls) expect(server.sentTo(call)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'TRY AGAIN' }))
  await waitFor(() => {
    for (const call of calls) expect(server.sentTo(call)).toHaveLength(2)
  })
})
