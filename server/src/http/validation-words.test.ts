import type { Call } from '@tessera/contract/call'
import { setTicketComment } from '@tessera/contract/comments'
import { setLabel } from '@tessera/contract/labels'
import { getProjectStatistics } from '@tessera/contract/statistics'
import { getMentionableUsers, moveTickets } from '@tessera/contract/tickets'
import { expect, test } from 'vitest'
import { peopledProject } from '../../test/fixtures/peopled-project.ts'
import { startServer } from '../../test/servers/server.ts'

test('a request that is not as it should be is told so in plain words', async () => {
  await using server = await startServer()
  const { idProject, someone } = await peopledProject(server)
  const caller = await someone('all')
  const error = async (call: Call, input: object) => ((await server.as(caller, call, input as never)).body as { error: string }).error
  expect(await error(getProjectStatistics, { idProject, From: '2026-01-01', To: '2026-01-31' })).toBe('Zone is missing')
  expect(await error(setLabel, { idProject, Label: 'a', Extra: 1 })).toBe('Extra is not known here')
  expect(await error(setLabel, { idProject, Label: ' ' })).toBe('Label must not be blank')
  expect(await error(setLabel, { idProject, Label: 'x'.repeat(201) })).toBe('Label must have at most 200 characters')
  expect(await error(setLabel, { idProject, Label: 'a', Color: 'red' })).toBe(
    'Color has characters that are not allowed, or not the expected form',
  )
  expect(await error(setLabel, { idProject, Label: 'a', Scope: 'all' })).toBe('Scope has a value that is not allowed')
  expect(await error(setTicketComment, { idTicket: 1, Comment: '' })).toBe('Comment must not be empty')
  expect(await error(getMentionableUsers, { idTicket: 0, Text: '' })).toBe('idTicket must be at least 1')
  expect(await error(moveTickets, { idProject, Moves: [] })).toBe('Moves must have at least 1 entry')
})
