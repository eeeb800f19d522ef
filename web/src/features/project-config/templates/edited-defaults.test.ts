import { expect, test } from 'vitest'
import { storedDefaults } from './edited-defaults.ts'

test('defaults are stored without what is empty, and without values of fields that the template does not show', () => {
  const full = {
    Title: ' Release ',
    data: { note: 'Steps', size: '', gone: 'x' },
    Labels: [3],
    Children: [{ idTemplate: 2, Title: ' Test ' }],
  }
  expect(storedDefaults(full, ['note', 'size'])).toEqual({
    Title: 'Release',
    data: { note: 'Steps' },
    Labels: [3],
    Children: [{ idTemplate: 2, Title: 'Test' }],
  })
  expect(storedDefaults({ Title: ' ', data: { size: '' }, Labels: [], Children: [] }, ['size'])).toEqual({})
})
