import { afterEach, expect, test, vi } from 'vitest'
import { enableShortcuts } from '../../../../lib/input/actions.ts'
import { rememberWayBack } from '../../../../lib/session/way-back.ts'
import { keepBoard } from '../../board/data/kept-board.ts'
import { keepColumns, keepDefault, keptColumns } from './kept-columns.ts'

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

test('view settings are stored in the browser; a full storage is no error', () => {
  keepColumns(7, 1, ['Created', 'size'])
  expect(keptColumns(1, 7)).toEqual(['Created', 'size'])
  keepColumns(7, 1, [])
  expect(localStorage).toHaveLength(0)
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  keepColumns(7, 1, ['Created'])
  keepDefault(7, 1, '?mine=1')
  keepBoard(7, 1, 'State', { hasLanes: true, columns: new Set(), lanes: new Set() })
  enableShortcuts(false)
  rememberWayBack('/view-ticket/7')
  expect(full).toHaveBeenCalledTimes(5)
  expect(keptColumns(1, 7)).toEqual([])
})
