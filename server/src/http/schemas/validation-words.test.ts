import type { Call } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { setUserData } from '@tessera/contract/people/profile'
import { setLabel } from '@tessera/contract/projects/labels'
import { setProjectData } from '@tessera/contract/projects/projects'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { setView } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { moveTickets } from '@tessera/contract/tickets/moving'
import { getMentionableUsers } from '@tessera/contract/tickets/watchers'
import { expect, test } from 'vitest'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../test/servers/server.ts'

test('an invalid request is refused with a readable message', async () => {
  await using server = await startServer()
  const { idProject, someone } = await peopledProject(server)
  const caller = await someone('all')
  const error = async (call: Call, input: object) => ((await server.as(caller, call, input as never)).body as { error: string }).error
  expect(await error(getProjectStatistics, { idProject, From: '2026-01-01', To: '2026-01-31' })).toBe('Zone is missing')
  expect(await error(setLabel, { idProject, Label: 'a', Extra: 1 })).toBe('Extra is not known here')
  expect(await error(setLabel, { idProject, Label: ' ' })).toBe('Label must not be blank')
  expect(await error(setLabel, { idProject, Label: 'x'.repeat(201) })).toBe('Label must have at most 200 characters')
  for (const Comment of ['x'.repeat(70_000), 'ж'.repeat(40_000), '漢'.repeat(30_000), '😀'.repeat(20_000)])
    expect(await error(setTicketComment, { idTicket: 1, Comment })).toBe('Comment must not have more than 65536 bytes')
  expect(await error(setLabel, { idProject, Label: 'a', Color: 'red' })).toBe(
    'Color has characters that are not allowed, or not the expected form',
  )
  expect(await error(setLabel, { idProject, Label: 'a', Scope: 'all' })).toBe('Scope must be "project" or "organization"')
  expect(await error(setTicketComment, { idTicket: 1, Comment: '' })).toBe('Comment must not be empty')
  expect(await error(getMentionableUsers, { idTicket: 0, Text: '' })).toBe('idTicket must be at least 1')
  const fields = async (call: Call, input: object) => ((await server.as(caller, call, input as never)).body as { fields: object[] }).fields
  expect(await fields(setProjectData, { idProject, BlockersHold: 2 })).toEqual([{ path: 'BlockersHold', message: 'must be 0 or 1' }])
  expect(await fields(setView, { idProject, Name: 'a', Layout: 'pile', Default: true })).toEqual([
    { path: 'Layout', message: 'must be "tree", "list", "board", "calendar", or "timeline"' },
  ])
  expect(await fields(setView, { idProject, Name: 'a', Lanes: 2 })).toEqual([
    { path: 'Lanes', message: 'must be 0, 1, "Assignee", or "Label"' },
  ])
  for (const Lanes of ['Phase', 1])
    expect(await fields(queryBoard, { idProject, Group: 'State', Lanes })).toEqual([
      { path: 'Lanes', message: 'must be "Parent", "Assignee", or "Label"' },
    ])
  // For any other union all reasons are listed, each once.
  const moves = [{ idTicket: 1, idParent: 'x' }]
  expect(await fields(moveTickets, { idProject, Moves: moves })).toEqual(
    ['must be integer', 'must be null', 'has a value that is not allowed'].map(message => ({ path: 'Moves.0.idParent', message })),
  )
  expect(await error(setLabel, { idProject, Label: '\u200b' })).toBe('Label must have a character that people see')
  expect(await error(setUserData, { FullName: '\u202e' })).toBe('FullName must have a character that people see')
  for (const seen of [{ Label: '🎫' }, { Label: '?' }, { Label: 'नमस्ते' }])
    expect((await server.as(caller, setLabel, { idProject, ...seen })).status, seen.Label).toBe(200)
  expect(await error(setUserData, { FullName: 'Ann\nLee' })).toBe('FullName must not have line breaks or other control characters')
  for (const FullName of ['', ' ', '李', `${'x'.repeat(limits.personName)} `])
    expect((await server.as(caller, setUserData, { FullName })).status, FullName).toBe(200)
  expect(await error(moveTickets, { idProject, Moves: [] })).toBe('Moves must have at least 1 entry')
})
