import { beforeEach, expect, test, vi } from 'vitest'
import { signedIn } from '../../../../test/people.ts'
import { enterSession, leaveSession } from '../../../lib/session/session.tsx'
import { clearSelection, countSelected, selectAllMatching, selectionOf, selectRange, selectTickets, toggleSelected } from './selection.ts'

const project = 7
const shown = [10, 20, 30, 40, 50]
const chosen = () => [...selectionOf(project).ids].sort((a, b) => a - b)
beforeEach(() => clearSelection(project))

test('tickets are selected and deselected one by one, separately in each project', () => {
  toggleSelected(project, 20)
  toggleSelected(project, 40)
  expect(chosen()).toEqual([20, 40])
  toggleSelected(project, 20)
  expect(chosen()).toEqual([40])
  expect(countSelected(selectionOf(project))).toBe(1)
  expect(countSelected(selectionOf(8))).toBe(0)
})

test('a range goes from the ticket that was selected last, upwards or downwards, and keeps the rest', () => {
  toggleSelected(project, 50)
  toggleSelected(project, 20)
  selectRange(project, shown, 40)
  expect(chosen()).toEqual([20, 30, 40, 50])
  selectRange(project, shown, 10)
  expect(chosen()).toEqual([10, 20, 30, 40, 50])
})

test('a range from a ticket that is not shown any more is the ticket alone', () => {
  selectRange(project, shown, 30)
  expect(chosen()).toEqual([30])
  toggleSelected(project, 99)
  selectRange(project, shown, 10)
  expect(chosen()).toEqual([10, 30, 99])
})

test('Select all matching counts tickets that are not loaded; a click on one starts a new selection', () => {
  selectTickets(project, shown)
  selectAllMatching(project, { Phases: [1] }, 1240)
  expect(countSelected(selectionOf(project))).toBe(1240)
  toggleSelected(project, 20)
  expect(selectionOf(project)).toMatchObject({ ids: new Set([20]), all: undefined })
})

test('a selection ends with its person’s session', () => {
  enterSession(signedIn())
  toggleSelected(project, 20)
  leaveSession()
  enterSession(signedIn({ idUser: 99 }))
  expect(chosen()).toEqual([])
})

test('a selection stays when a permission of its person is taken away', async () => {
  // On a page the session is there before this part is loaded.
  vi.resetModules()
  const session = await import('../../../lib/session/session.tsx')
  session.enterSession(signedIn({ projperms: [{ idProject: project, Permissions: [1, 3] }] }))
  const selection = await import('./selection.ts')
  selection.toggleSelected(project, 20)
  session.enterSession(signedIn({ projperms: [{ idProject: project, Permissions: [1] }] }))
  expect([...selection.selectionOf(project).ids]).toEqual([20])
})
