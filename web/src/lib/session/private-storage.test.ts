import { afterEach, expect, test } from 'vitest'
import { keepPlaces, keptPlaces } from '../../features/project-config/workflow/diagram/workflow-places.ts'
import { enableShortcuts } from '../input/keys/shortcuts-enabled.ts'
import { noteSeen } from './activity.ts'
import { clearPrivateStorage } from './private-storage.ts'

afterEach(() => localStorage.clear())

test('a logout keeps the preferences and removes everything else', () => {
  localStorage.setItem('color-scheme', 'dark')
  enableShortcuts(false)
  noteSeen()
  keepPlaces(5, false, new Map([[1, { x: 10, y: 20 }]]))
  localStorage.setItem('added later', 'by a developer who forgets this list')
  sessionStorage.setItem('tessera.scroll', '{"k3x9":300}')
  clearPrivateStorage()
  expect({ ...localStorage }).toEqual({ 'color-scheme': 'dark', 'tessera.shortcuts': 'off' })
  expect(keptPlaces(5, false).size).toBe(0)
  expect(sessionStorage).toHaveLength(0)
})
