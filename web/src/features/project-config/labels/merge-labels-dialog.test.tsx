import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../../test/show.tsx'
import { MergeLabelsDialog } from './merge-labels-dialog.tsx'

afterEach(cleanup)

async function sentence(count: number) {
  const labels = Array.from({ length: count }, (_, index) => ({
    idLabel: index + 1,
    Label: `l${index + 1}`,
    Color: 'gray' as const,
    Scope: 'project' as const,
    Tickets: count - index,
  }))
  show(<MergeLabelsDialog idProject={1} labels={labels} onRestore={async () => ''} onClose={() => undefined} />)
  return (await screen.findByText(/^Tickets with/)).textContent
}

test('of many labels ten are listed by name', async () => {
  expect(await sentence(3)).toBe('Tickets with l2 or l3 will carry l1 instead.')
  cleanup()
  expect(await sentence(480)).toBe('Tickets with l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, or 469 more will carry l1 instead.')
})
