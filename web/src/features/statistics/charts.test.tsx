import { getProjectData } from '@tessera/contract/projects/projects'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../test/fake-server.ts'
import { show, showPages } from '../../../test/show.tsx'
import { addDays } from '../../lib/display/days.ts'
import { useActiveActions } from '../../lib/input/actions.ts'
import { AgeOfOpenWork, CumulativeFlow } from './charts.tsx'
import { ProjectChartsPage } from './project-charts-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const bucket = { from: '2026-11-01', to: '2026-11-07', created: 2, closed: 1, proposed: 3, active: 2, inactive: 1 }
const listOf = (condition: string) => `/?q=${condition}`

test('the numbers of a week lead to the tickets at its end, those of an age to the tickets between its limits', async () => {
  const open = {
    Tickets: 5,
    Age: { Median: 9.54, P85: 10.4 },
    Ages: [1, 7, null].map((UpToDays, index) => ({ UpToDays, Tickets: index + 1 })),
  }
  const { user } = show(
    <>
      <CumulativeFlow buckets={[bucket]} listOf={listOf} />
      <AgeOfOpenWork open={open} listOf={listOf} />
    </>,
  )
  const areas = [...document.querySelectorAll('rect')].filter(rect => rect.textContent?.startsWith('Nov 7'))
  const place = (rect: SVGRectElement | undefined, name: string) => Number(rect?.getAttribute(name))
  expect(areas.map(rect => rect.textContent)).toEqual(['Nov 7, 2026: 1 inactive', 'Nov 7, 2026: 2 active', 'Nov 7, 2026: 3 proposed'])
  // Each stands on the one before it.
  expect(place(areas[1], 'y') + place(areas[1], 'height')).toBeCloseTo(place(areas[0], 'y'))

  for (const name of ['Cumulative flow', 'Age of open work']) await user.click(screen.getByRole('button', { name: `TABLE: ${name}` }))
  const linksOf = (name: string) =>
    within(screen.getByRole('table', { name }))
      .getAllByRole('link')
      .map(link => [link.textContent, new URLSearchParams(link.getAttribute('href')?.slice(2)).get('q')])
  screen.getByText('5 open tickets; half of them at most 9.5 days old, 85% at most 10 days.')
  const heads = within(screen.getByRole('table', { name: 'Cumulative flow' })).getAllByRole('columnheader')
  expect(heads.map(({ textContent }) => textContent)).toEqual(['At the end of', 'Proposed', 'Active', 'Inactive'])
  expect(linksOf('Cumulative flow')).toEqual([
    ['3', 'phase:proposed@2026-11-07'],
    ['2', 'phase:active@2026-11-07'],
    ['1', 'phase:inactive@2026-11-07'],
  ])
  expect(linksOf('Age of open work')).toEqual([
    ['1', 'is:open created:<1d'],
    ['2', 'is:open created:1d..7d'],
    ['3', 'is:open created:>7d'],
  ])
  const ages = within(screen.getByRole('table', { name: 'Age of open work' })).getAllByRole('rowheader')
  expect(ages.map(({ textContent }) => textContent)).toEqual(['up to 1 day', '1 – 7 days', 'over 7 days'])
  await user.click(screen.getByRole('button', { name: 'TABLE: Cumulative flow' }))
  fireEvent.click(screen.getByText('Nov 7, 2026: 2 active').closest('rect') as Element)
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('q')).toBe('phase:active@2026-11-07'))
})

test('a name below a column that would be cut off at the edge is left out', () => {
  const weeks = Array.from({ length: 13 }, (_, index) => ({
    ...bucket,
    from: addDays('2026-08-31', 7 * index),
    to: addDays('2026-09-06', 7 * index),
  }))
  show(<CumulativeFlow buckets={weeks} listOf={listOf} />)
  const names = [...document.querySelectorAll('text')].flatMap(({ textContent }) => (textContent?.includes(',') ? [textContent] : []))
  expect(names).toEqual(['Sep 6, 2026', 'Sep 27, 2026', 'Oct 18, 2026', 'Nov 8, 2026'])
})

test('the project was deleted meanwhile: the page says so and offers no further attempt', async () => {
  const server = fakeServer()
  server.on(getProjectData, () => ({ Title: 'Titanium' }) as never)
  server.on(getProjectStatistics, () => new Refusal(404))
  let offered: readonly string[] = []
  const Page = () => {
    offered = useActiveActions().map(({ label }) => label)
    return <ProjectChartsPage />
  }
  showPages([{ path: '/project-charts/:id', Component: Page }], '/project-charts/1')
  await screen.findByText('It was deleted meanwhile, or you no longer have access.')
  expect(screen.queryByRole('button', { name: 'TRY AGAIN' })).toBeNull()
  expect(offered).toEqual([])
})
