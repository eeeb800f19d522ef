import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../test/show.tsx'
import { RowList } from './row-list.tsx'

afterEach(cleanup)

test('a screen reader hears how many rows a search in a list leaves, once nothing is typed for a moment', async () => {
  const rows = Array.from({ length: 12 }, (_, id) => ({ id, text: `Project ${id + 1}` }))
  const { user } = show(<RowList label="projects" rows={rows} empty="None" />)
  const search = await screen.findByRole('searchbox', { name: 'Search projects' })
  const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(said()).toEqual([''])
  await user.type(search, 'project 1')
  expect(said()).toEqual([''])
  await waitFor(() => expect(said()).toEqual(['4 found']))
  await user.type(search, 'x')
  await waitFor(() => expect(said()).toEqual(['', 'Nothing here is called “project 1x”.']))
})
